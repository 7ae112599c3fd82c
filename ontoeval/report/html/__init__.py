"""Reports as pages: one file that needs nothing else, to be opened in a browser."""

from ontoeval.report.html.agreement import agreement_report as agreement_report
from ontoeval.report.html.audit import audit_report as audit_report
from ontoeval.report.html.comparison import comparison_report as comparison_report
from ontoeval.report.html.page import Figure as Figure
from ontoeval.report.html.page import Section as Section
from ontoeval.report.html.page import View as View
from ontoeval.report.html.page import report_page as report_page
from ontoeval.report.html.study import study_report as study_report
