// SPDX-License-Identifier: GPL-3.0-or-later
//! How a run learns: a method with its settings, and how its tables are tried.

use serde::Serialize;
use toml::Table;

use super::fitness::FitnessSettings;
use super::methods::{Chosen, Method};
use super::settings::SettingError;

/// How a run learns. On record it is one list of settings by name.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Recipe {
    /// The method, with its settings.
    #[serde(flatten)]
    pub method: Method,
    /// How tables are tried, and on which positions.
    #[serde(flatten)]
    pub fitness: FitnessSettings,
}

impl Recipe {
    /// Reads a recipe from a table of a file: `method`, and the settings of that method and of the fitness.
    ///
    /// # Errors
    /// Names the key that is unknown or has a wrong value.
    pub fn from_table(table: &Table) -> Result<Self, SettingError> {
        let Chosen { method, common: fitness } = Chosen::from_table(table)?;
        Ok(Self { method, fitness })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::fitness::Measure;
    use crate::learn::methods::{BruteForce, Conjunctions, GradualFocus};

    fn read(text: &str) -> Result<Recipe, String> {
        Recipe::from_table(&text.parse().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn gradual_focus_is_the_default_method() {
        assert_eq!(read(""), Ok(Recipe::default()));
        assert_eq!(read("method = \"gradual-focus\""), Ok(Recipe::default()));
        let recipe = read("method = \"brute-force\"\nmax_atoms = 2\natoms = [\"Ud\", \"Rc\"]\nfitness = \"nodes\"");
        let conjunctions = Conjunctions { atoms: vec!["Ud".into(), "Rc".into()], ..Conjunctions::default() };
        let fitness = FitnessSettings { fitness: Measure::Nodes, ..FitnessSettings::default() };
        assert_eq!(
            recipe,
            Ok(Recipe { method: Method::BruteForce(BruteForce { max_atoms: 2, conjunctions }), fitness })
        );
        let recipe = read("linear_tree_pruning = false\nepsilon = 0\nheld_out = 0.25").unwrap();
        let Method::GradualFocus(GradualFocus { linear_tree_pruning, threshold_pruning, conjunctions, .. }) =
            recipe.method
        else {
            panic!()
        };
        assert_eq!((linear_tree_pruning, threshold_pruning, conjunctions.acceptance.epsilon), (false, true, 0));
        assert_eq!(recipe.fitness.held_out, 0.25);
    }

    #[test]
    fn a_setting_of_another_method_is_refused() {
        for (text, expected) in [
            ("max_atoms = 2", "max_atoms 2: there is no such setting; "),
            ("method = \"brute-force\"\ndelta = 2", "delta 2: there is no such setting; "),
            ("method = \"guess\"", "method \"guess\": it is one of gradual-focus, brute-force"),
            ("method = 1", "method 1: it is one of"),
            ("method = \"brute-force\"\nmax_atoms = 0", "max_atoms 0: expected an integer from 1 to 32"),
            ("fitness = \"speed\"", "fitness \"speed\": invalid value"),
            ("threshold_pruning = false\ndelta = 3", "cannot be used with"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    /// The names on record are those of files.
    #[test]
    fn a_recipe_on_record_names_every_setting() {
        let recorded = serde_json::to_value(Recipe::default()).unwrap();
        let names: Vec<&str> = recorded.as_object().unwrap().keys().map(String::as_str).collect();
        let expected = "atoms blacklist delta domain_knowledge early_rejection epsilon fitness frequency_penalty groups \
                        held_out linear_tree_pruning max_evaluations method plies repeats rows significance starts \
                        strictly_better threshold_pruning unsafe_to_prune";
        assert_eq!(names.join(" "), expected);
    }
}
