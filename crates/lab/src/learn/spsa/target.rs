// SPDX-License-Identifier: GPL-3.0-or-later
//! Who is tuned: the full search of this program, its extension table, or another program by its UCI options.

use toml::{Table, Value};

use super::Parameter;
use crate::learn::candidate::Candidate;
use crate::learn::settings::SettingError;
use crate::learn::tuning::Setting;
use crate::tournament::player_definition::PlayerDefinition;
use halfply_engine::base::Depth;
use halfply_engine::features::{ExtensionTable, Vocabulary};
use halfply_engine::game::Game;
use halfply_engine::search::{Profile, Setup};

/// Who is tuned.
#[derive(Clone, Debug)]
pub struct Target {
    /// The player as it is given, without limits.
    player: PlayerDefinition,
    /// What is set of a search; none for another program.
    search: Option<Search>,
}

/// A search and its settings that are tuned.
#[derive(Clone, Debug)]
struct Search {
    given: Candidate,
    setup: Setup,
    settings: Vec<Setting>,
    vocabulary: Vocabulary,
}

impl Target {
    /// Another program. Its options are checked when it is started.
    pub fn program(player: PlayerDefinition) -> Self {
        Self { player, search: None }
    }

    /// A search of this program.
    ///
    /// # Errors
    /// If a parameter is neither of the search nor a feature, or its range is not in that of the search.
    pub fn search<G: Game>(
        player: PlayerDefinition,
        setup: &Setup,
        parameters: &[Parameter],
    ) -> Result<Self, SettingError> {
        let vocabulary = G::VOCABULARY;
        let table = setup.table.summary(&vocabulary);
        let reason =
            "its rows are told to players in a line, which defines no atoms; `learn gradient` tunes such tables";
        SettingError::unless(setup.table.own().is_none(), "extensions", table, reason)?;
        let setting = |parameter: &Parameter| {
            let refuse = |reason: String| SettingError::new("parameter", parameter, reason);
            let setting = Setting::named(&parameter.name, &vocabulary).map_err(refuse)?;
            if matches!(setting, Setting::Parameter(_)) && setup.profile == Profile::Plain {
                return Err(refuse("the plain search has no parameters: add --profile full".to_owned()));
            }
            let (least, most) = setting.range();
            let scale = scale(setting);
            let is_in = parameter.min * scale >= least as f64 && parameter.max * scale <= most as f64;
            if setting.show(0) == "false" {
                return Err(refuse("a switch is on or off: it has no values in between".to_owned()));
            }
            if !is_in {
                return Err(refuse(format!("its values are from {} to {}", setting.show(least), setting.show(most))));
            }
            if matches!(setting, Setting::Parameter(_)) != parameter.is_whole {
                let kind = if parameter.is_whole { "a cost in plies is a float" } else { "a parameter is an int" };
                return Err(refuse(kind.to_owned()));
            }
            // The same for integers is refused where they are read.
            if parameter.step * scale < 0.5 {
                return Err(refuse(format!(
                    "costs are played in hundredths of a ply: with a step of {} both sides would often be equal: at least \
                     0.005",
                    parameter.step
                )));
            }
            Ok(setting)
        };
        let settings = parameters.iter().map(setting).collect::<Result<_, _>>()?;
        let given = Candidate::of_table(setup.table.clone(), setup);
        Ok(Self { player, search: Some(Search { given, setup: setup.clone(), settings, vocabulary }) })
    }

    /// The player of that name with these values of the parameters.
    pub fn with(&self, name: &str, parameters: &[Parameter], values: &[f64]) -> PlayerDefinition {
        let mut player = PlayerDefinition { name: Some(name.to_owned()), ..self.player.clone() };
        let played: Vec<f64> =
            parameters.iter().zip(values).map(|(parameter, &value)| parameter.played(value)).collect();
        match &self.search {
            Some(search) => {
                let candidate = search.candidate(&played);
                player.extensions = None;
                player.extend = Some(candidate.table.summary(&search.vocabulary));
                if search.setup.profile == Profile::Full {
                    player.parameters = Some(Value::Table(candidate.parameters.table(&search.setup.defaults)));
                }
            }
            None => {
                for (parameter, &value) in parameters.iter().zip(&played) {
                    let value = if parameter.is_whole { Value::Integer(value as i64) } else { Value::Float(value) };
                    player.options.insert(parameter.name.clone(), value);
                }
            }
        }
        player
    }

    /// The table of a search and its file of parameters, with values as they are played; none for another program.
    pub fn files(&self, played: &[f64]) -> Option<(ExtensionTable, Table)> {
        let search = self.search.as_ref()?;
        let candidate = search.candidate(played);
        let parameters = candidate.parameters.table(&search.setup.defaults);
        Some((candidate.table, parameters))
    }
}

impl Search {
    fn candidate(&self, played: &[f64]) -> Candidate {
        let set = |candidate: Candidate, (setting, value): (&Setting, &f64)| {
            let (least, most) = setting.range();
            setting.with(((value * scale(*setting)).round() as i64).clamp(least, most), &candidate)
        };
        self.settings.iter().zip(played).fold(self.given.clone(), set).trimmed()
    }
}

/// Costs are in plies here, and in hundredths of a ply in settings.
fn scale(setting: Setting) -> f64 {
    match setting {
        Setting::Cost(_) => f64::from(Depth::PLY.as_hundredths()),
        Setting::Parameter(_) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::features::ExtensionTable;
    use halfply_engine::games::Breakthrough;

    fn parameters(lines: &[&str]) -> Vec<Parameter> {
        lines.iter().map(|line| line.parse().unwrap()).collect()
    }

    #[test]
    fn values_arrive_where_they_are_played() {
        let lines = parameters(&["null_move_depth,int,200,100,1000,45,0.002", "Ud-Rdt,float,0.75,0.1,1.5,0.1,0.002"]);
        let player = PlayerDefinition { profile: Some(Profile::Full), ..PlayerDefinition::default() };
        let target = Target::search::<Breakthrough>(player, &Setup::full(), &lines).unwrap();
        let player = target.with("plus", &lines, &[249.6, 0.333]);
        assert_eq!(player.extend.as_deref(), Some("Ud-Rdt@0.33"));
        assert_eq!(player.parameters.unwrap().to_string(), "{ null_move_depth = 250 }");

        let lines = parameters(&["Razor Margin,int,120,50,300,20,0.002", "Speed,float,1,0,2,0.5,0.1"]);
        let target = Target::program(PlayerDefinition { command: Some("x".to_owned()), ..PlayerDefinition::default() });
        let options = target.with("plus", &lines, &[400.0, 0.25]).options;
        assert_eq!(options["Razor Margin"], Value::Integer(300));
        assert_eq!(options["Speed"], Value::Float(0.25));
    }

    #[test]
    fn what_a_search_does_not_have_is_refused() {
        let plain = Setup::plain(ExtensionTable::default(), 1);
        for (line, setup, reason) in [
            ("nul_move,int,1,0,2,1,1", Setup::full(), "did you mean null_move?"),
            ("null_move,int,1,0,1,1,1", Setup::full(), "a switch is on or off"),
            ("null_move_depth,int,200,0,1000,45,1", Setup::full(), "its values are from 100 to 1000"),
            ("null_move_depth,float,200,100,1000,45,1", Setup::full(), "a parameter is an int"),
            ("null_move_depth,int,200,100,1000,45,1", plain.clone(), "add --profile full"),
            ("Ud,int,1,0,2,1,1", plain.clone(), "a cost in plies is a float"),
            ("Ud,float,1,0,11,1,1", plain.clone(), "its values are from 0 to 10"),
            ("Ud,float,1,0,2,0.004,1", plain, "at least 0.005"),
        ] {
            let error = Target::search::<Breakthrough>(PlayerDefinition::default(), &setup, &parameters(&[line]));
            let error = error.unwrap_err().to_string();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
