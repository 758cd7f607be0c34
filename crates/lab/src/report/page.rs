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

/// A part of a page.
#[derive(Clone, Debug)]
pub struct Part {
    /// The title.
    pub title: String,
    /// The body.
    pub body: Markup,
}

impl Part {
    /// A part with this title and this body.
    pub fn new(title: impl Into<String>, body: Markup) -> Self {
        Self { title: title.into(), body }
    }

    /// The part as a section of a page.
    pub fn section(&self) -> Markup {
        section(&self.title, &self.body)
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
    document(title, &header, &parts.iter().map(Part::section).collect::<Vec<_>>())
}

/// A page of sections under a header.
pub fn document(title: &str, header: &Markup, sections: &[Markup]) -> String {
    let rest = html! {
        meta name="viewport" content="width=device-width, initial-scale=1";
        title { (title) }
        style { (PreEscaped(STYLE)) }
        (PreEscaped("</head>\n<body>\n"))
        header { (header) }
        main {
            @for section in sections { (section) "\n" }
        }
    };
    // Names from outside may have control characters, of which HTML allows none.
    format!("{BEGINNING}{}\n</body>\n</html>\n", echo::plain(&rest.into_string()))
}

/// A section with a heading.
pub fn section(title: &str, body: &Markup) -> Markup {
    html! {
        section {
            h2 { (title) }
            (body)
        }
    }
}

/// A section that links can lead to by its id.
pub fn section_with_id(id: &str, title: &str, body: &Markup) -> Markup {
    html! {
        section id=(id) {
            h2 { (title) }
            (body)
        }
    }
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
        let expected = "<section><h2>A &lt; B &amp; C</h2><p>&lt;</p></section>";
        assert_eq!(Part::new("A < B & C", html! { p { "<" } }).section().into_string(), expected);
    }

    #[test]
    fn a_page_has_no_control_characters() {
        let page = page("a\u{1b}[2J", "b\u{202e}", &[repeated_by("c\u{7}\n")]);
        assert!(page.contains("<title>a\u{fffd}[2J</title>") && page.contains("<p>b\u{fffd}</p>"), "{page}");
        assert!(page.contains("<pre>c\u{fffd}\n</pre>") && is_ours(page.as_bytes()), "{page}");
    }
}
