// SPDX-License-Identifier: GPL-3.0-or-later
//! Pages: one HTML file each, without scripts or network access.

use maud::{Markup, PreEscaped, html};

use super::html;
use halfply_engine::base::echo;

/// The styles of boards, plots and other figures.
pub const FIGURES_STYLE: &str = include_str!("figures.css");

/// The style of all pages, light and dark.
const STYLE: &str = concat!(include_str!("style.css"), include_str!("figures.css"));

/// How every page begins.
const BEGINNING: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"halfply\">\n";

/// A part of a page: a section with a heading.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where links lead to; none if there are none.
    pub id: Option<String>,
    /// The heading.
    pub title: String,
    /// The body.
    pub body: Markup,
}

impl Part {
    /// A part with this title and this body.
    pub fn new(title: impl Into<String>, body: Markup) -> Self {
        Self { id: None, title: title.into(), body }
    }

    /// The same part with an id.
    pub fn with_id(self, id: impl Into<String>) -> Self {
        Self { id: Some(id.into()), ..self }
    }
}

/// The part that ends every page of a run.
pub fn repeated_by(command: &str) -> Part {
    Part::new("The command that repeats it", html::command(command))
}

/// A page of parts.
pub fn page(title: &str, summary: &str, parts: &[Part]) -> String {
    let header = html! {
        h1 { (title) }
        p { (summary) }
    };
    document(title, &header, parts)
}

/// A page of parts under a header.
pub fn document(title: &str, header: &Markup, parts: &[Part]) -> String {
    let rest = html! {
        meta name="viewport" content="width=device-width, initial-scale=1";
        title { (title) }
        style { (PreEscaped(STYLE)) }
        (PreEscaped("</head>\n<body>\n"))
        header { (header) }
        main {
            @for Part { id, title, body } in parts {
                section id=[id] {
                    h2 { (title) }
                    (body)
                }
                "\n"
            }
        }
    };
    // Names from outside may have control characters, of which HTML allows none.
    format!("{BEGINNING}{}\n</body>\n</html>\n", echo::plain(&rest.into_string()))
}

/// Whether a file is a page of this program.
pub fn is_ours(contents: &[u8]) -> bool {
    contents.starts_with(BEGINNING.as_bytes())
}

/// Names and values, as a section's body.
pub fn settings(values: &[(String, String)]) -> Markup {
    html! {
        table.settings {
            @for (name, value) in values { tr { th { (name) } td { (value) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_once() {
        let page = page("a & b", "", &[Part::new("A < B & C", html! { p { "<" } }).with_id("c")]);
        assert!(page.contains("<title>a &amp; b</title>"), "{page}");
        assert!(page.contains("<section id=\"c\"><h2>A &lt; B &amp; C</h2><p>&lt;</p></section>"), "{page}");
    }

    #[test]
    fn a_page_has_no_control_characters() {
        let page = page("a\u{1b}[2J", "b\u{202e}", &[repeated_by("c\u{7}\n")]);
        assert!(page.contains("<title>a\u{fffd}[2J</title>") && page.contains("<p>b\u{fffd}</p>"), "{page}");
        assert!(page.contains("<pre>c\u{fffd}\n</pre>") && is_ours(page.as_bytes()), "{page}");
    }
}
