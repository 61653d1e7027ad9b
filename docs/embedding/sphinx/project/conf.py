project = "Docs"
extensions = ["myst_parser"]
html_theme = "furo"
html_static_path = ["_static"]
html_js_files = ["plimsoll-calculator.js"]
