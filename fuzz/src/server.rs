// SPDX-License-Identifier: GPL-3.0-or-later
//! Requests to the server of the page, over a socket.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use halfply::serve::{Server, ServerSettings};
use halfply_lab::run::Stop;

/// The name that requests among the seeds have for the server, whatever its port.
const NAME: &str = "halfply:80";

/// The longest wait for an answer: a search may go on, and an unfinished request is waited for.
const PATIENCE: Duration = Duration::from_millis(100);

/// A server for all inputs.
static ADDRESS: LazyLock<Option<SocketAddr>> = LazyLock::new(|| {
    let server = Server::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).ok()?;
    let address = server.address();
    let settings = ServerSettings { names: vec![NAME.to_owned()], searches: 2, ..ServerSettings::default() };
    thread::spawn(move || server.run(&settings, &Stop::default()));
    Some(address)
});

/// Sends bytes and reads the beginning of the answer. The server must be there afterwards.
pub fn read(bytes: &[u8]) {
    let Some(address) = *ADDRESS else { return };
    let Ok(mut stream) = TcpStream::connect(address) else { panic!("the server has ended") };
    let _ = stream.set_read_timeout(Some(PATIENCE));
    let _ = stream.write_all(bytes).and_then(|()| stream.shutdown(Shutdown::Write));
    let mut answer = [0; 4096];
    while matches!(stream.read(&mut answer), Ok(count) if count > 0) {}
}
