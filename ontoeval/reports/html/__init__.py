"""Reports as pages: one file that needs nothing else, to be opened in a browser."""

from ontoeval.reports.html.agreement import agreement_report as agreement_report
from ontoeval.reports.html.audit import audit_report as audit_report
from ontoeval.reports.html.comparison import comparison_report as comparison_report
from ontoeval.reports.html.page import Figure as Figure
from ontoeval.reports.html.page import Section as Section
from ontoeval.reports.html.page import View as View
from ontoeval.reports.html.page import report_page as report_page
from ontoeval.reports.html.study import study_report as study_report
