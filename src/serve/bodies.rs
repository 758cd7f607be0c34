// SPDX-License-Identifier: GPL-3.0-or-later
//! Bodies that are sent piece by piece: a client that does not read holds one piece, and not the whole.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use tokio::sync::mpsc::Receiver;
use tokio::task::{JoinHandle, spawn_blocking};

/// Bytes of a file that are read at a time.
const PIECE: u64 = 64 << 10;

/// The first `length` bytes of a file.
pub fn file(kind: &'static str, file: File, length: u64) -> Response {
    let pieces = Pieces { file: Some(file), left: length, reading: None };
    ([(CONTENT_TYPE, kind.to_owned()), (CONTENT_LENGTH, length.to_string())], Body::from_stream(pieces)).into_response()
}

/// Events, in parts of any size. What many are sent is shared by them.
pub fn events(parts: Receiver<Bytes>) -> Response {
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(Parts(parts))).into_response()
}

struct Parts(Receiver<Bytes>);

impl Stream for Parts {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|part| part.map(Ok))
    }
}

/// A file, and the next part of it.
type Piece = io::Result<(File, Vec<u8>)>;

/// A file that is read where other requests do not wait for it.
struct Pieces {
    /// None while it is read, and at the end.
    file: Option<File>,
    left: u64,
    reading: Option<JoinHandle<Piece>>,
}

impl Stream for Pieces {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.reading.is_none() {
            let Some(file) = self.file.take().filter(|_| self.left > 0) else { return Poll::Ready(None) };
            let most = PIECE.min(self.left);
            self.reading = Some(spawn_blocking(move || {
                let mut piece = Vec::new();
                (&file).take(most).read_to_end(&mut piece)?;
                Ok((file, piece))
            }));
        }
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let read = ready!(Pin::new(reading).poll(context)).map_err(io::Error::other).flatten();
        self.reading = None;
        Poll::Ready(Some(read.and_then(|(file, piece)| {
            if piece.is_empty() {
                // What was announced cannot be sent: the connection is closed.
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.left -= piece.len() as u64;
            self.file = Some(file);
            Ok(piece.into())
        })))
    }
}
