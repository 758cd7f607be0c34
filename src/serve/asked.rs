// SPDX-License-Identifier: GPL-3.0-or-later
//! What a request asks, in its address or its body. Whatever cannot be read is refused as everything else: with a reason in JSON.

use axum::body::Bytes;
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::refusal::Refusal;

/// The most bytes of a request's body: the longest games have a tenth of that.
pub const LARGEST_BODY: usize = 64 << 10;

/// What a request asks in its address.
pub(super) struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let question = extract::Query::try_from_uri(&parts.uri);
        question
            .map(|extract::Query(question)| Self(question))
            .map_err(|rejection| Refusal::invalid(rejection.body_text()))
    }
}

/// A request's body, read from JSON.
pub(super) struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        if !is_declared(&request, "application/json") {
            return Err(Refusal::NotJson);
        }
        let body = body(request, state, LARGEST_BODY).await?;
        serde_json::from_slice(&body).map(Self).map_err(Refusal::invalid)
    }
}

/// Whether a request has this type. A form of another site cannot send one that is used here without asking the server first.
pub(super) fn is_declared(request: &Request, wanted: &str) -> bool {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim() == wanted
}

/// The body of a request, of at most so many bytes.
pub(super) async fn body<S: Send + Sync>(request: Request, state: &S, most: usize) -> Result<Bytes, Refusal> {
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::TooLarge(most),
        _ => Refusal::invalid(rejection.body_text()),
    })
}
