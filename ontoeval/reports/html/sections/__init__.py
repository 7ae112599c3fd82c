"""Parts of the page of a comparison, each made of what a comparison holds."""
