// SPDX-License-Identifier: GPL-3.0-or-later
//! The options of an engine, and checks of their values.

use super::fault::EngineFault;

/// The number of options that an error lists.
const NAMED: usize = 12;

/// UCI's word for an empty text.
const EMPTY: &str = "<empty>";

/// The keywords after an option's kind.
const KEYWORDS: &[&str] = &["default", "min", "max", "var"];

/// The kind of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// An integer.
    Spin,
    /// One of several words.
    Combo,
    /// A button: it has no value.
    Button,
    /// Any text. Unknown kinds are treated as this.
    String,
}

/// An option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Its name, with single blanks between its words.
    pub name: String,
    /// Its kind.
    pub kind: OptionKind,
    /// The default, as the engine reports it, if it does.
    pub default: Option<String>,
    /// The least number, if the engine reports it.
    pub min: Option<i64>,
    /// The greatest number, if the engine reports it.
    pub max: Option<i64>,
    /// The choices of a combo.
    pub vars: Vec<String>,
}

impl Offered {
    /// Reads the text after `option`; none if it has no name or no kind.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (&"name", words) = words.split_first()? else { return None };
        // A name may hold the word "type".
        let is_kind = |pair: &[&str]| pair[0] == "type" && kind(pair[1]).is_some();
        let unknown_kind = || words.windows(2).position(|pair| pair[0] == "type");
        let split = words.windows(2).position(is_kind).or_else(unknown_kind)?;
        let name = words[..split].join(" ");
        let kind = kind(words[split + 1]).unwrap_or(OptionKind::String);
        if name.is_empty() {
            return None;
        }
        let mut offered = Self { name, kind, default: None, min: None, max: None, vars: Vec::new() };
        offered.read_values(&words[split + 2..]);
        Some(offered)
    }

    fn read_values(&mut self, mut words: &[&str]) {
        while let Some((&keyword, rest)) = words.split_first() {
            // A text may hold any word, and a choice may be called "default": the text between two keywords is a value.
            let is_keyword = |word: &&str| self.kind != OptionKind::String && KEYWORDS.contains(word);
            let is_value = rest.first().is_some_and(is_keyword) && rest.get(1).is_none_or(is_keyword);
            let skipped = usize::from(is_value);
            let end = rest[skipped..].iter().position(is_keyword).map_or(rest.len(), |end| end + skipped);
            let (value, rest) = rest.split_at(end);
            let value = value.join(" ");
            match keyword {
                "default" => self.default = Some(value),
                "min" => self.min = value.parse().ok(),
                "max" => self.max = value.parse().ok(),
                "var" => self.vars.push(value),
                _ => {}
            }
            words = rest;
        }
    }

    /// The line that sets it.
    fn set(&self, value: &str) -> Result<String, String> {
        let value = match self.kind {
            OptionKind::Button => return Ok(format!("setoption name {}", self.name)),
            OptionKind::Check => match ["true", "false"].into_iter().find(|word| word.eq_ignore_ascii_case(value)) {
                Some(word) => word.to_owned(),
                None => return Err(format!("it is true or false, not {value:?}")),
            },
            OptionKind::Spin => {
                let number: i64 = value.parse().map_err(|_| format!("expected an integer, not {value:?}"))?;
                if self.min.is_some_and(|min| number < min) || self.max.is_some_and(|max| number > max) {
                    let limit = |limit: Option<i64>| limit.map_or_else(|| "any number".to_owned(), |n| n.to_string());
                    return Err(format!("it goes from {} to {}, not {number}", limit(self.min), limit(self.max)));
                }
                number.to_string()
            }
            OptionKind::Combo => match self.vars.iter().find(|choice| choice.eq_ignore_ascii_case(value)) {
                Some(choice) => choice.clone(),
                None => return Err(format!("it is one of {}, not {value:?}", some_of(self.vars.iter()))),
            },
            OptionKind::String if value.contains(['\n', '\r']) => {
                return Err("its value must be a single line".to_owned());
            }
            OptionKind::String if value.is_empty() => EMPTY.to_owned(),
            OptionKind::String => value.to_owned(),
        };
        Ok(format!("setoption name {} value {value}", self.name))
    }
}

/// The kind with this name in UCI.
fn kind(word: &str) -> Option<OptionKind> {
    match word {
        "check" => Some(OptionKind::Check),
        "spin" => Some(OptionKind::Spin),
        "combo" => Some(OptionKind::Combo),
        "button" => Some(OptionKind::Button),
        "string" => Some(OptionKind::String),
        _ => None,
    }
}

/// The option of this name, ignoring case and extra blanks.
pub(super) fn find<'a>(offered: &'a [Offered], name: &str) -> Option<&'a Offered> {
    let words = || name.split_whitespace();
    offered.iter().find(|option| {
        option.name.split(' ').count() == words().count()
            && option.name.split(' ').zip(words()).all(|(ours, theirs)| ours.eq_ignore_ascii_case(theirs))
    })
}

/// The lines that set the options; all of them are checked before any is sent.
pub(super) fn set<'a>(
    offered: &[Offered],
    wanted: impl Iterator<Item = &'a (String, String)>,
) -> Result<Vec<String>, EngineFault> {
    let line = |(name, value): &(String, String)| {
        let line = match find(offered, name) {
            Some(option) => option.set(value),
            None if offered.is_empty() => Err("the engine offers no options at all".to_owned()),
            None => Err(format!("the engine offers no such option, but {}", some_of(offered.iter().map(|o| &o.name)))),
        };
        line.map_err(|reason| EngineFault::Option { name: name.clone(), reason })
    };
    wanted.map(line).collect()
}

/// The first few texts, and how many more there are.
fn some_of<'a>(texts: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = texts.len().saturating_sub(NAMED);
    let named: Vec<&str> = texts.take(NAMED).map(String::as_str).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    named.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered() -> Vec<Offered> {
        [
            " name Hash type spin default 16 min 1 max 33554432\r",
            "name Clear Hash type button",
            "name Ponder type check default false",
            "name  Skill  of type X type combo default Very Good var Bad var Very Good",
            "name EvalFile type string default my net min.nnue",
            "name Log type file",
            "name Free type spin default 3",
        ]
        .into_iter()
        .map(|text| Offered::parse(text).unwrap())
        .collect()
    }

    #[test]
    fn declarations_are_read() {
        let all = offered();
        let hash = &all[0];
        assert_eq!(
            (hash.name.as_str(), hash.kind, hash.min, hash.max),
            ("Hash", OptionKind::Spin, Some(1), Some(33_554_432))
        );
        assert_eq!(hash.default.as_deref(), Some("16"));
        assert_eq!((all[1].name.as_str(), all[1].kind), ("Clear Hash", OptionKind::Button));
        assert_eq!((all[3].name.as_str(), all[3].kind), ("Skill of type X", OptionKind::Combo));
        assert_eq!((all[3].default.as_deref(), all[3].vars.join("|")), (Some("Very Good"), "Bad|Very Good".to_owned()));
        assert_eq!(all[4].default.as_deref(), Some("my net min.nnue"));
        assert_eq!((all[5].kind, all[5].default.as_deref()), (OptionKind::String, None));
        let odd = Offered::parse("name x type combo default default var default var max var a b").unwrap();
        assert_eq!((odd.default.as_deref(), odd.vars.join("|")), (Some("default"), "default|max|a b".to_owned()));
        let empty = Offered::parse("name x type combo default var a var b").unwrap();
        assert_eq!((empty.default.as_deref(), empty.vars.join("|")), (Some(""), "a|b".to_owned()));
        for text in ["", "name", "name type", "name type check", "name x", "name x type", "type check name x"] {
            assert_eq!(Offered::parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_checked_and_spelt_as_offered() {
        let all = offered();
        for (name, value, line) in [
            ("hash", "64", Ok("setoption name Hash value 64")),
            ("CLEAR  hash", "whatever", Ok("setoption name Clear Hash")),
            ("Ponder", "TRUE", Ok("setoption name Ponder value true")),
            ("skill of type x", "very good", Ok("setoption name Skill of type X value Very Good")),
            ("EvalFile", "", Ok("setoption name EvalFile value <empty>")),
            ("EvalFile", "a b", Ok("setoption name EvalFile value a b")),
            ("Free", "-5", Ok("setoption name Free value -5")),
            ("Hash", "0", Err("option Hash: it goes from 1 to 33554432, not 0")),
            ("Hash", "much", Err("option Hash: expected an integer, not \"much\"")),
            ("Ponder", "yes", Err("option Ponder: it is true or false, not \"yes\"")),
            ("Skill of type X", "Good", Err("option Skill of type X: it is one of Bad, Very Good, not \"Good\"")),
            ("EvalFile", "x\nquit", Err("option EvalFile: its value must be a single line")),
            (
                "Threads",
                "2",
                Err(
                    "option Threads: the engine offers no such option, but Hash, Clear Hash, Ponder, Skill of type X, \
                     EvalFile, Log, Free",
                ),
            ),
        ] {
            let wanted = [(name.to_owned(), value.to_owned())];
            let lines = set(&all, wanted.iter()).map_err(|fault| fault.to_string());
            assert_eq!(lines, line.map(|line| vec![line.to_owned()]).map_err(str::to_owned));
        }
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..15).map(|number| number.to_string()).collect();
        assert_eq!(some_of(names.iter()), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more");
    }
}
