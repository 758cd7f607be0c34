// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a request is refused.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use thiserror::Error;

/// A request that is refused, with the reason for people.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// What it asks for is not valid.
    #[error("{0}")]
    Invalid(String),
    /// It comes from another site, or through another site's name.
    #[error("{0}")]
    Foreign(String),
    /// There is nothing under this path.
    #[error("there is nothing at this address")]
    Unknown,
    /// Its body is too large.
    #[error("a request has at most {0} bytes")]
    TooLarge(usize),
    /// Its body is not JSON.
    #[error("send JSON, with the content type application/json")]
    NotJson,
    /// It is not declared as a file.
    #[error("send the file, with the content type application/octet-stream")]
    NoFile,
    /// It did not arrive, or was not answered, in time.
    #[error("the request took too long")]
    TooSlow,
    /// The server was started without a folder of runs.
    #[error("this server shows no runs: start it with --runs and a folder")]
    NoRuns,
    /// Too many pages watch runs.
    #[error("{0} pages watch runs already: close one")]
    Crowded(usize),
    /// All cores are searching.
    #[error("all {0} searches that may run at once are running: stop one, or wait for it")]
    Busy(usize),
}

impl Refusal {
    /// A refusal of something invalid.
    pub fn invalid(reason: impl ToString) -> Self {
        Self::Invalid(reason.to_string())
    }

    /// The status of the answer.
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Foreign(_) => StatusCode::FORBIDDEN,
            Self::Unknown | Self::NoRuns => StatusCode::NOT_FOUND,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NotJson | Self::NoFile => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Busy(_) | Self::Crowded(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status(), Json(json!({ "error": self.to_string() }))).into_response()
    }
}
