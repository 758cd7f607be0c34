// SPDX-License-Identifier: GPL-3.0-or-later
//! Imports point one way: what each crate's `lib.rs` says of its layers is true. Between crates the compiler holds it.

use std::collections::{BTreeMap, BTreeSet};
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

/// The paths that a `use` brings in: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some((before, inside)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![path.split("::").map(|name| name.trim().to_owned()).collect()];
    };
    let start = before.trim_end_matches("::").split("::").map(|name| name.trim().to_owned());
    let start: Vec<String> = start.filter(|name| !name.is_empty()).collect();
    let (mut depth, mut items) = (0, vec![String::new()]);
    for c in inside.trim_end().trim_end_matches('}').chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => items.push(String::new()),
            c => items.last_mut().unwrap().push(c),
        }
    }
    let of_item = |item: &String| paths(item).into_iter().map(|path| [&start[..], &path].concat()).collect::<Vec<_>>();
    items.iter().filter(|item| !item.trim().is_empty()).flat_map(of_item).collect()
}

/// The files of a crate as paths of modules, each with the paths that its `use` lines name, from the root.
type Imports = BTreeMap<Vec<String>, Vec<Vec<String>>>;

fn imports(folder: &Path) -> Imports {
    let of_file = |path: PathBuf| {
        let inside = path.strip_prefix(folder).unwrap().with_extension("");
        let mut module: Vec<String> =
            inside.iter().map(|name| name.to_string_lossy().into_owned()).filter(|name| name != "mod").collect();
        if module == ["lib"] || module == ["main"] {
            module.clear();
        }
        let code = code(&path);
        let uses =
            code.split(';').filter_map(|statement| statement.rsplit_once("use ").map(|(_, tree)| tree.to_owned()));
        let absolute = |path: Vec<String>| {
            let mut base = module.clone();
            match path[0].as_str() {
                "crate" => Some(path[1..].to_vec()),
                "super" => {
                    let up = path.iter().take_while(|name| *name == "super").count();
                    base.truncate(base.len().saturating_sub(up));
                    Some([&base[..], &path[up..]].concat())
                }
                "self" => Some([&base[..], &path[1..]].concat()),
                // `pub use child::Name`.
                _ => Some([&base[..], &path[..]].concat()),
            }
        };
        let named = uses.flat_map(|tree| paths(&tree)).filter_map(absolute).collect();
        (module, named)
    };
    sources(folder).into_iter().map(of_file).collect()
}

/// The file that a path leads to, through what modules re-export.
fn file_of<'i>(imports: &'i Imports, path: &[String], steps: u32) -> Option<&'i Vec<String>> {
    let (module, named) = (0..=path.len()).rev().find_map(|length| imports.get_key_value(&path[..length]))?;
    let Some(name) = path.get(module.len()) else { return Some(module) };
    let re_exported = named.iter().find(|other| other.last() == Some(name) && other[..] != path[..]);
    match re_exported {
        Some(other) if steps > 0 => file_of(imports, &[&other[..], &path[module.len() + 1..]].concat(), steps - 1),
        _ => Some(module),
    }
}

/// Two files that need each other are one idea, or a third one is missing. A module's own file, which has what its files
/// share, may name them.
#[test]
fn no_two_files_need_each_other() {
    let mut links = 0;
    for folder in crates() {
        let imports = imports(&folder);
        let is_leaf =
            |module: &Vec<String>| !imports.keys().any(|other| other.len() > module.len() && other.starts_with(module));
        let of_file = |(module, named): (&Vec<String>, &Vec<Vec<String>>)| {
            let files = named.iter().filter_map(|path| file_of(&imports, path, 4));
            let files: BTreeSet<_> = files.filter(|&file| file != module && is_leaf(file)).cloned().collect();
            (module.clone(), files)
        };
        let mut needs: BTreeMap<_, _> = imports.iter().filter(|(module, _)| is_leaf(module)).map(of_file).collect();
        links += needs.values().map(BTreeSet::len).sum::<usize>();
        // What needs nothing that is left is in no circle.
        while let Some(free) = needs.iter().find(|(_, files)| files.is_empty()).map(|(module, _)| module.clone()) {
            needs.remove(&free);
            needs.values_mut().for_each(|files| _ = files.remove(&free));
        }
        assert!(needs.is_empty(), "{}: files that need each other, or files that do: {needs:#?}", folder.display());
    }
    assert!(links > 900, "only {links} links were seen: is this test reading the code?");
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
