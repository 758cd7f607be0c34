// SPDX-License-Identifier: GPL-3.0-or-later
//! What all requests share.

use std::sync::Arc;

use axum::body::Bytes;
use tokio::sync::Semaphore;

use super::guard::Guard;
use super::runs::Runs;
use halfply_lab::run::Stop;

/// What all requests share.
#[derive(Clone)]
pub struct Shared {
    /// Which requests are let in.
    pub guard: Arc<Guard>,
    /// What the page can choose from.
    pub games: Bytes,
    /// One permit for each search that may run.
    pub slots: Arc<Semaphore>,
    /// The number of permits in all.
    pub searches: usize,
    /// Raised when the server ends.
    pub stop: Stop,
    /// The runs to show, if a folder of them was named.
    pub runs: Option<Arc<Runs>>,
    /// One permit for each page that may watch runs.
    pub watchers: Arc<Semaphore>,
}
