// SPDX-License-Identifier: GPL-3.0-or-later
//! Pages: one HTML file each, without scripts or network access.

use super::html::escape;

/// The styles of boards, plots and other figures.
pub const FIGURES_STYLE: &str = include_str!("figures.css");

/// The style of all pages, light and dark.
const STYLE: &str = concat!(include_str!("style.css"), include_str!("figures.css"));

/// How every page begins.
const BEGINNING: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"halfply\">\n";

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
    pub fn section(&self) -> String {
        section(&self.title, &self.body)
    }
}

/// A page of sections; the summary is text.
pub fn page(title: &str, summary: &str, sections: &[String]) -> String {
    document(title, &format!("<h1>{}</h1>\n<p>{}</p>\n", escape(title), escape(summary)), sections)
}

/// A page of sections under a header, which is HTML.
pub fn document(title: &str, header: &str, sections: &[String]) -> String {
    format!(
        "{BEGINNING}<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n{header}</header>\n<main>\n{}</main>\n</body>\n</html>\n",
        escape(title),
        sections.concat(),
    )
}

/// A section with a heading, which is text; its body is HTML.
pub fn section(title: &str, body: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{body}\n</section>\n", escape(title))
}

/// A section that links can lead to by its id.
pub fn section_with_id(id: &str, title: &str, body: &str) -> String {
    format!("<section id=\"{id}\">\n<h2>{}</h2>\n{body}\n</section>\n", escape(title))
}

/// Whether a file is a page of this program.
pub fn is_ours(contents: &[u8]) -> bool {
    contents.starts_with(BEGINNING.as_bytes())
}

/// Names and values, as a section's body.
pub fn settings(values: &[(String, String)]) -> String {
    let row =
        |(name, value): &(String, String)| format!("<tr><th>{}</th><td>{}</td></tr>\n", escape(name), escape(value));
    format!("<table class=\"settings\">\n{}</table>", values.iter().map(row).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_escaped_once() {
        let expected = "<section>\n<h2>A &lt; B &amp; C</h2>\n<p></p>\n</section>\n";
        assert_eq!(Part::new("A < B & C", "<p></p>").section(), expected);
        assert_eq!(section("A < B & C", "<p></p>"), expected);
    }
}
