// SPDX-License-Identifier: GPL-3.0-or-later
//! Imports point one way: what each crate's `lib.rs` says of its layers is true. Between crates the compiler holds it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All Rust files of a folder, deep.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The folder of the sources of each crate.
fn crates() -> [PathBuf; 3] {
    ["crates/engine/src", "crates/lab/src", "src"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
}

/// The code of a file without comments and tests; tests may know everything.
fn code(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    if name.ends_with("tests.rs") || name.ends_with("_properties.rs") {
        return String::new();
    }
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules of the crate that a text names, from `crate::name` and `crate::{…}`.
fn named(code: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect::<String>();
    code.match_indices("crate::")
        .flat_map(|(at, prefix)| {
            let rest = &code[at + prefix.len()..];
            match rest.strip_prefix('{') {
                Some(list) => {
                    let list = list.split("};").next().unwrap_or_default();
                    list.split(',').map(|item| word(item.trim())).collect()
                }
                None => vec![word(rest)],
            }
        })
        .collect()
}

/// The modules of a crate in the order of the table in its `lib.rs`.
fn layers(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("lib.rs")).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("//! | ")?.trim_start_matches('[').strip_prefix('`'));
    names.map(|name| name.split('`').next().unwrap().to_owned()).collect()
}

#[test]
fn no_module_names_one_of_a_later_layer() {
    let mut links = 0;
    for folder in crates() {
        let layers = layers(&folder);
        let place: BTreeMap<&str, usize> =
            layers.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
        for path in sources(&folder) {
            let inside = path.strip_prefix(&folder).unwrap();
            let module = inside.components().next().unwrap().as_os_str().to_string_lossy().replace(".rs", "");
            if module == "lib" || module == "main" {
                continue;
            }
            let own =
                *place.get(module.as_str()).unwrap_or_else(|| panic!("{module} is missing in the table of lib.rs"));
            for name in named(&code(&path)) {
                // What is not a module is a macro.
                let Some(&other) = place.get(name.as_str()) else {
                    assert_eq!(name, "with_game", "{}", path.display());
                    continue;
                };
                assert!(other <= own, "{} names {name}, which is of a later layer", path.display());
                links += usize::from(other < own);
            }
        }
    }
    assert!(links > 300, "only {links} links were seen: is this test reading the code?");
}

#[test]
fn searches_and_learners_name_no_game() {
    let [engine, lab, _] = crates();
    let folders = ["patterns", "search", "solve"].map(|name| engine.join(name));
    let mut files = 0;
    for path in folders.iter().chain(&["learn", "tune"].map(|name| lab.join(name))).flat_map(|folder| sources(folder)) {
        let code = code(&path).to_lowercase();
        for game in ["breakthrough", "chess", "othello", "shakmaty"] {
            assert!(!code.contains(game), "{} names {game}", path.display());
        }
        files += 1;
    }
    assert!(files > 40, "only {files} files were read");
}

/// Callers of the libraries can match their errors; only the command line reports them without looking. The manifests of the
/// other crates do not have `anyhow`.
#[test]
fn errors_have_types_outside_the_command_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve");
    let files = sources(&folder);
    for path in &files {
        assert!(!code(path).contains("anyhow"), "{} names anyhow", path.display());
    }
    assert!(files.len() > 15, "only {} files were read", files.len());
}

/// One place writes files; journals alone grow where they are.
#[test]
fn files_are_written_in_one_place() {
    let writers = [
        "fs::write(",
        "File::create",
        "OpenOptions",
        "fs::rename",
        "fs::remove_file",
        "fs::remove_dir",
        "fs::copy",
        "NamedTempFile",
        "set_len(",
    ];
    let mut found = Vec::new();
    for (folder, path) in crates().iter().flat_map(|folder| sources(folder).into_iter().map(move |path| (folder, path)))
    {
        let (code, inside) = (code(&path), path.strip_prefix(folder).unwrap());
        if writers.iter().any(|writer| code.contains(writer)) {
            found.push(inside.display().to_string().replace('\\', "/"));
        }
    }
    found.sort();
    assert_eq!(found, ["base/replace.rs", "run/journal.rs"]);
}
