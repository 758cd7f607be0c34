// SPDX-License-Identifier: GPL-3.0-or-later
//! Genes: a setting, the values that it may have, and the bits that choose one of them.
//!
//! A gene is written `NAME=FIRST..LAST/COUNT`: so many values at equal distances, from the first to the last, which may be
//! the smaller one. Without `/COUNT` they are all integers, or hundredths of a ply, in between; a parameter's name
//! alone means its whole range. The bits are just enough for the values. Codes beyond the last value stand for the last:
//! `AcK=1..0/5` has three bits, and a code v is a cost of 1 − min(v, 4)/4, an extension of min(v, 4) quarters of a ply.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::setting::Setting;
use crate::learn::candidate::Candidate;
use crate::learn::settings::SettingError;
use halfply_engine::base::data_file::{self, DataFileError, line_of};
use halfply_engine::features::Vocabulary;
use halfply_engine::search::{Profile, Setup};

/// The newest format of files of genes.
const FORMAT: u32 = 1;

/// The most values of a gene.
const MOST_VALUES: i64 = 1 << 16;

/// A gene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gene {
    /// The setting.
    pub setting: Setting,
    /// The value of code 0.
    first: i64,
    /// The difference from one value to the next.
    step: i64,
    /// How many values there are, at least two.
    count: i64,
}

/// The options that name genes.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize)]
pub struct Genes {
    /// A setting to tune and its values: a parameter of the full search or what a feature costs, such as
    /// multi_cut_depth=0..700/8 or AcK=1..0/5; can be repeated
    #[arg(long = "gene", value_name = "NAME=FIRST..LAST/COUNT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub genes: Vec<String>,
    /// Genes in a TOML file, before those of --gene; experiments/selective-search.toml has those of the paper
    #[arg(long = "genes", value_name = "FILE")]
    #[serde(skip)]
    pub genes_file: Option<PathBuf>,
}

impl Genes {
    /// Puts the genes of the file, if one is named, before the others.
    ///
    /// # Errors
    /// If the file cannot be read, or has a gene that is wrong.
    pub fn load(&mut self, vocabulary: &Vocabulary) -> Result<(), DataFileError> {
        if let Some(file) = self.genes_file.take() {
            self.genes.splice(0..0, load(&file, vocabulary)?);
        }
        Ok(())
    }

    /// The genes for a game with that vocabulary and for that search; there may be none.
    ///
    /// # Errors
    /// Names the gene that does not fit.
    pub(super) fn prepare(&self, vocabulary: &Vocabulary, setup: &Setup) -> Result<Vec<Gene>, SettingError> {
        let genes =
            parse_all(&self.genes, vocabulary).map_err(|(gene, reason)| SettingError::new("gene", gene, reason))?;
        let parameter = genes.iter().find(|gene| matches!(gene.setting, Setting::Parameter(_)));
        if let Some(gene) = parameter.filter(|_| setup.profile == Profile::Plain) {
            let reason = "the plain search has no parameters: add --profile full";
            return Err(SettingError::new("gene", gene.setting.name(vocabulary), reason));
        }
        Ok(genes)
    }
}

/// The bits of all genes, each gene's in Gray code: values next to each other differ in one bit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chromosome(pub Vec<bool>);

impl fmt::Display for Chromosome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&bit| f.write_str(if bit { "1" } else { "0" }))
    }
}

impl Gene {
    /// Reads a gene.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(text: &str, vocabulary: &Vocabulary) -> Result<Self, String> {
        let (name, values) = match text.split_once('=') {
            Some((name, values)) => (name.trim(), Some(values.trim())),
            None => (text.trim(), None),
        };
        let setting = Setting::named(name, vocabulary)?;
        let (first, last, count) = match (values, setting) {
            (None, Setting::Parameter(_)) => {
                let (least, most) = setting.range();
                (least, most, None)
            }
            (None, Setting::Cost(_)) => {
                return Err(format!("{text}: a cost needs its values, such as {name}=1..0/5"));
            }
            (Some(values), _) => {
                let (range, count) = match values.split_once('/') {
                    Some((range, count)) => (range, Some(count.trim())),
                    None => (values, None),
                };
                let wrong = || format!("{text}: values are written FIRST..LAST or FIRST..LAST/COUNT");
                let (first, last) = range.split_once("..").ok_or_else(wrong)?;
                let count = count.map(|count| count.parse::<i64>().map_err(|_| wrong())).transpose()?;
                let value = |value: &str| setting.read(value.trim()).map_err(|reason| format!("{text}: {reason}"));
                (value(first)?, value(last)?, count)
            }
        };
        let distance = (last - first).abs();
        let count = count.unwrap_or(distance + 1);
        if !(2..=MOST_VALUES).contains(&count) || distance == 0 {
            return Err(format!("{text}: a gene has 2 to {MOST_VALUES} different values"));
        }
        if distance % (count - 1) != 0 {
            return Err(format!(
                "{text}: {count} values at equal distances from {} to {} are not whole{}",
                setting.show(first),
                setting.show(last),
                if matches!(setting, Setting::Cost(_)) { " hundredths of a ply" } else { "" }
            ));
        }
        Ok(Self { setting, first, step: (last - first) / (count - 1), count })
    }

    /// How many bits it has.
    pub fn bits(&self) -> usize {
        (i64::BITS - (self.count - 1).leading_zeros()) as usize
    }

    /// The value of a code.
    pub fn value(&self, code: i64) -> i64 {
        self.first + self.step * code.min(self.count - 1)
    }

    /// The least and the greatest value.
    pub fn range(&self) -> (i64, i64) {
        let last = self.value(self.count);
        (self.first.min(last), self.first.max(last))
    }

    /// The code of a value; none if it is not among the gene's.
    fn code(&self, value: i64) -> Option<i64> {
        let (code, rest) = ((value - self.first) / self.step, (value - self.first) % self.step);
        (rest == 0 && (0..self.count).contains(&code)).then_some(code)
    }
}

/// Reads genes, each of another setting.
///
/// # Errors
/// Names the gene that is wrong, and the reason.
pub fn parse_all(texts: &[String], vocabulary: &Vocabulary) -> Result<Vec<Gene>, (String, String)> {
    let mut genes = Vec::new();
    for text in texts {
        add(&mut genes, text, vocabulary).map_err(|reason| (text.clone(), reason))?;
    }
    Ok(genes)
}

/// Reads a gene, and adds it to those of other settings.
fn add(genes: &mut Vec<Gene>, text: &str, vocabulary: &Vocabulary) -> Result<(), String> {
    let gene = Gene::parse(text, vocabulary)?;
    if genes.iter().any(|other| other.setting == gene.setting) {
        return Err(format!("there is a gene of {} already", gene.setting.name(vocabulary)));
    }
    genes.push(gene);
    Ok(())
}

/// A file of genes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// Checked already; this field only accepts the key.
    #[serde(rename = "format")]
    _format: u32,
    genes: Vec<Spanned<String>>,
}

/// Reads a file of genes: `format = 1` and `genes = ["NAME=FIRST..LAST/COUNT", …]`. The texts of its genes are returned,
/// all of which are right.
///
/// # Errors
/// If the file cannot be read, or a gene is wrong. The error names the line.
pub fn load(path: &Path, vocabulary: &Vocabulary) -> Result<Vec<String>, DataFileError> {
    let text = data_file::read(path, "a file of genes, such as experiments/selective-search.toml")?;
    parse_file(&text, &path.display().to_string(), vocabulary)
}

fn parse_file(text: &str, name: &str, vocabulary: &Vocabulary) -> Result<Vec<String>, DataFileError> {
    let expected = "a file of genes has `format = 1` and `genes = [\"null_move\", \"AcK=1..0/5\"]`";
    let document: Document = data_file::from_toml(text, name, FORMAT, expected)?;
    let mut genes = Vec::new();
    // One by one, because an error must name its line.
    for gene in &document.genes {
        add(&mut genes, gene.get_ref(), vocabulary).map_err(|reason| {
            let line = line_of(text, gene.span().start);
            DataFileError::Line { name: name.to_owned(), line, reason }
        })?;
    }
    Ok(document.genes.into_iter().map(Spanned::into_inner).collect())
}

/// The candidate that a chromosome of these genes stands for; what they do not set is as in `given`.
pub fn express(chromosome: &Chromosome, genes: &[Gene], given: &Candidate) -> Candidate {
    let mut bits = chromosome.0.iter();
    genes.iter().fold(given.clone(), |candidate, gene| {
        let code = decode(bits.by_ref().take(gene.bits()).copied());
        gene.setting.with(gene.value(code), &candidate)
    })
}

/// The chromosome that expresses a candidate's own values.
///
/// # Errors
/// Names a setting whose value is none of its gene's.
pub(super) fn encode(given: &Candidate, genes: &[Gene], vocabulary: &Vocabulary) -> Result<Chromosome, SettingError> {
    let mut bits = Vec::new();
    for gene in genes {
        let value = gene.setting.get(given);
        let code = gene.code(value).ok_or_else(|| {
            let reason = format!("{} as given is none of the values of its gene", gene.setting.show(value));
            SettingError::new("gene", gene.setting.name(vocabulary), reason)
        })?;
        let gray = code ^ code >> 1;
        bits.extend((0..gene.bits()).rev().map(|place| gray >> place & 1 == 1));
    }
    Ok(Chromosome(bits))
}

/// The number whose Gray code these bits are, the most significant first.
fn decode(bits: impl Iterator<Item = bool>) -> i64 {
    let (code, _) = bits.fold((0, false), |(code, last), bit| {
        let bit = bit ^ last;
        (code << 1 | i64::from(bit), bit)
    });
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::base::bundled::{CHESS_FALCON, FALCON, SELECTIVE_SEARCH};
    use halfply_engine::features::{ExtensionTable, file};
    use halfply_engine::game::Game;
    use halfply_engine::games::Chess;
    use halfply_engine::search::Parameters;

    const VOCABULARY: Vocabulary = Chess::VOCABULARY;

    #[test]
    fn a_gene_has_its_values_and_just_enough_bits() {
        for (text, bits, values) in [
            ("null_move", 1, &["false", "true"][..]),
            ("null_move_reduction=100..800/8", 3, &["100", "200", "300", "400", "500", "600", "700", "800"]),
            ("futility_depth=0..300/4", 2, &["0", "100", "200", "300"]),
            ("multi_cut_cuts", 3, &["0", "1", "2", "3", "4", "5", "6", "7"]),
            // Codes 5 to 7 are the last value: 1 − min(v, 4)/4.
            ("AcK=1..0/5", 3, &["1", "0.75", "0.5", "0.25", "0", "0", "0", "0"]),
        ] {
            let gene = Gene::parse(text, &VOCABULARY).unwrap();
            assert_eq!(gene.bits(), bits, "{text}");
            let all: Vec<String> = (0..1 << bits).map(|code| gene.setting.show(gene.value(code))).collect();
            assert_eq!(all, values, "{text}");
        }
        let margin = Gene::parse("futility_margin_1=0..1023", &VOCABULARY).unwrap();
        assert_eq!((margin.bits(), margin.value(0), margin.value(700)), (10, 0, 700));
    }

    #[test]
    fn what_is_no_gene_is_refused() {
        for (text, reason) in [
            ("nul_move", "did you mean null_move?"),
            ("AcK", "a cost needs its values"),
            ("null_move_reduction=100-800", "values are written"),
            ("null_move_reduction=100..800/x", "values are written"),
            ("null_move_reduction=100..900/9", "900 is none of the values from 100 to 800"),
            ("null_move_reduction=100..800/7", "are not whole"),
            ("AcK=1..0/7", "are not whole hundredths of a ply"),
            ("AcK=1..1", "2 to 65536 different values"),
            ("AcK=1..0/1", "2 to 65536 different values"),
            ("AcK=0..0/-3", "2 to 65536 different values"),
            ("null_move=0..1", "from false to true"),
            ("", "a feature is written as atom names"),
        ] {
            let error = Gene::parse(text, &VOCABULARY).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let twice = ["null_move".to_owned(), "null_move=true..false".to_owned()];
        assert!(parse_all(&twice, &VOCABULARY).unwrap_err().1.contains("already"));
    }

    #[test]
    fn a_file_is_refused_with_its_line() {
        for (text, reason) in [
            ("format = 1\ngenes = [\n \"null_move\",\n \"nul_move\",\n]\n", "g.toml:4: there is no search parameter"),
            ("format = 1\ngenes = [\n \"null_move\",\n \"null_move\",\n]\n", "g.toml:4: there is a gene of null_move"),
            ("format = 2\ngenes = []\n", "format 2 is not known"),
            ("format = 1\ngene = []\n", "unknown field `gene`"),
            ("null_move = true\n", "unknown field `null_move`"),
            ("genes = []\n", "missing field `format`"),
        ] {
            let error = parse_file(text, "g.toml", &VOCABULARY).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    /// Table 1 of the paper: eighteen parameters, 70 bits.
    #[test]
    fn the_chromosome_of_the_paper_has_seventy_bits() {
        let texts = parse_file(SELECTIVE_SEARCH.text, SELECTIVE_SEARCH.name, &VOCABULARY).unwrap();
        let genes = parse_all(&texts, &VOCABULARY).unwrap();
        let bits: Vec<usize> = genes.iter().map(Gene::bits).collect();
        assert_eq!(bits, [1, 3, 1, 3, 2, 10, 10, 10, 1, 3, 3, 5, 3, 3, 3, 3, 3, 3]);
        assert_eq!(bits.iter().sum::<usize>(), 70);
    }

    #[test]
    fn values_next_to_each_other_differ_in_one_bit() {
        let gray = |code: u32| (code ^ code >> 1, code);
        for (bits, code) in (0..1024).map(gray) {
            let bits = (0..10).rev().map(|place| bits >> place & 1 == 1);
            assert_eq!(decode(bits), i64::from(code));
        }
    }

    #[test]
    fn what_is_given_is_expressed_again() {
        let texts = parse_file(SELECTIVE_SEARCH.text, SELECTIVE_SEARCH.name, &VOCABULARY).unwrap();
        let genes = parse_all(&texts, &VOCABULARY).unwrap();
        let falcon = Parameters::parse(FALCON.text, FALCON.name).unwrap();
        let parameters = Parameters::DEFAULT.with_table(&falcon).unwrap();
        let table = file::parse(CHESS_FALCON.text, CHESS_FALCON.name, &VOCABULARY).unwrap();
        let given = Candidate::of_table(table, &Setup { parameters, ..Setup::full() });
        let chromosome = encode(&given, &genes, &VOCABULARY).unwrap();
        assert_eq!(chromosome.0.len(), 70);
        assert_eq!(express(&chromosome, &genes, &given), given);

        let genes = [Gene::parse("null_move_reduction=100..800/2", &VOCABULARY).unwrap()];
        let error = encode(&given, &genes, &VOCABULARY).unwrap_err().to_string();
        assert!(error.contains("gene null_move_reduction: 400 as given is none of the values"), "{error}");
    }

    #[test]
    fn a_chromosome_is_expressed_gene_by_gene() {
        let texts = ["null_move", "multi_cut_cuts", "AcK=1..0/5"].map(str::to_owned);
        let genes = parse_all(&texts, &VOCABULARY).unwrap();
        let given = Candidate::of_table(ExtensionTable::default(), &Setup::full());
        // 0; Gray 101 is 6; Gray 011 is 2.
        let chromosome = Chromosome([0, 1, 0, 1, 0, 1, 1].map(|bit| bit == 1).to_vec());
        let candidate = express(&chromosome, &genes, &given);
        let values: Vec<String> = genes.iter().map(|gene| gene.setting.show(gene.setting.get(&candidate))).collect();
        assert_eq!(values, ["false", "6", "0.5"]);
        assert_eq!(candidate.table.summary(&VOCABULARY), "AcK@0.5");
        assert_eq!(chromosome.to_string(), "0101011");
    }
}
