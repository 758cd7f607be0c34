// SPDX-License-Identifier: GPL-3.0-or-later
//! The files of the page. They are part of the binary, and the page loads nothing else.

use halfply_lab::report::page::FIGURES_STYLE;

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its path on the server.
    pub path: &'static str,
    /// Its content type.
    pub kind: &'static str,
    /// Its contents.
    pub text: &'static str,
}

macro_rules! assets {
    ($( $path:literal: $kind:literal, $file:literal; )+) => {
        /// All files.
        pub const ALL: &[Asset] = &[
            // Pages of results have the same styles for their figures.
            Asset { path: "/figures.css", kind: "text/css; charset=utf-8", text: FIGURES_STYLE },
            $(Asset { path: $path, kind: $kind, text: include_str!(concat!("web/", $file)) }),+
        ];
    };
}

assets! {
    "/": "text/html; charset=utf-8", "index.html";
    "/runs": "text/html; charset=utf-8", "runs.html";
    "/style.css": "text/css; charset=utf-8", "style.css";
    "/runs.css": "text/css; charset=utf-8", "runs.css";
    "/pieces.svg": "image/svg+xml", "pieces.svg";
    "/icon.svg": "image/svg+xml", "icon.svg";
    "/main.js": "text/javascript; charset=utf-8", "main.js";
    "/server.js": "text/javascript; charset=utf-8", "server.js";
    "/dom.js": "text/javascript; charset=utf-8", "dom.js";
    "/board.js": "text/javascript; charset=utf-8", "board.js";
    "/clock.js": "text/javascript; charset=utf-8", "clock.js";
    "/graph.js": "text/javascript; charset=utf-8", "graph.js";
    "/setup.js": "text/javascript; charset=utf-8", "setup.js";
    "/state.js": "text/javascript; charset=utf-8", "state.js";
    "/view.js": "text/javascript; charset=utf-8", "view.js";
    "/tree.js": "text/javascript; charset=utf-8", "tree.js";
    "/open.js": "text/javascript; charset=utf-8", "open.js";
    "/library.js": "text/javascript; charset=utf-8", "library.js";
    "/pgn.js": "text/javascript; charset=utf-8", "pgn.js";
    "/review.js": "text/javascript; charset=utf-8", "review.js";
    "/moves.js": "text/javascript; charset=utf-8", "moves.js";
    "/compare.js": "text/javascript; charset=utf-8", "compare.js";
    "/settings.js": "text/javascript; charset=utf-8", "settings.js";
    "/kept.js": "text/javascript; charset=utf-8", "kept.js";
    "/steps.js": "text/javascript; charset=utf-8", "steps.js";
    "/tabs.js": "text/javascript; charset=utf-8", "tabs.js";
    "/runs.js": "text/javascript; charset=utf-8", "runs.js";
    "/replay.js": "text/javascript; charset=utf-8", "replay.js";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_nothing_that_is_not_here() {
        let is_here = |path: &str| ALL.iter().any(|asset| asset.path == path);
        let mut links = 0;
        for asset in ALL {
            for before in ["src=\"", "href=\"", "from \"."] {
                for (at, _) in asset.text.match_indices(before) {
                    let link = asset.text[at + before.len()..].split(['"', '#']).next().unwrap();
                    assert!(link.is_empty() || is_here(link), "{}: {link}", asset.path);
                    links += 1;
                }
            }
            let outside = asset.text.replace("http://www.w3.org/", "");
            assert!(!outside.contains("http://") && !outside.contains("https://"), "{}", asset.path);
        }
        assert!(links > 10, "only {links} links were seen");
    }
}
