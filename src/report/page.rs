// SPDX-License-Identifier: GPL-3.0-or-later
//! Pages: one HTML file each, without scripts or network access.

use super::html::escape;

/// The style of all pages, light and dark.
const STYLE: &str = concat!(include_str!("style.css"), include_str!("figures.css"));

/// A part of a page: its title and its body, which is HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The title, as text.
    pub title: String,
    /// The body, as HTML.
    pub body: String,
}

impl Part {
    /// A part with this title and this body.
    pub fn new(title: impl Into<String>, body: impl Into<String>) -> Self {
        Self { title: title.into(), body: body.into() }
    }

    /// The part as a section of a page.
    #[must_use]
    pub fn section(&self) -> String {
        section(&escape(&self.title), &self.body)
    }
}

/// A page of sections.
#[must_use]
pub fn page(title: &str, summary: &str, sections: &[String]) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n{}</body>\n</html>\n",
        escape(summary),
        sections.concat(),
        title = escape(title),
    )
}

/// A section with a heading; its body is HTML.
#[must_use]
pub fn section(title: &str, body: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{body}\n</section>\n")
}

/// Names and values, as a section's body.
#[must_use]
pub fn settings(values: &[(String, String)]) -> String {
    let row =
        |(name, value): &(String, String)| format!("<tr><th>{}</th><td>{}</td></tr>\n", escape(name), escape(value));
    format!("<table>\n{}</table>", values.iter().map(row).collect::<String>())
}
