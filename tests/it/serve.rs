// SPDX-License-Identifier: GPL-3.0-or-later
//! The server as a process: what it says, answers and refuses over a socket, and how it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{hearing, refusal};

/// A search that ends only when it is stopped.
const ENDLESS: &str = r#"{"game": {"game": "breakthrough"}, "player": {"hash": 1}}"#;

struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start() -> Self {
        let mut process = hearing(&[])
            .args(["serve", "--port", "0"])
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()?.parse().ok());
        Self { address: address.unwrap_or_else(|| panic!("{line}")), process }
    }

    fn connect(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    fn post(&self, path: &str, body: &str) -> TcpStream {
        let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        self.connect(&format!("{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The first line of the answer.
fn status(stream: TcpStream) -> String {
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

#[test]
fn the_page_is_there_for_its_own_host_only() {
    let server = Server::start();
    assert!(server.address.ip().is_loopback());
    let page =
        |host: &str| rest(server.connect(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")));
    let own = page(&server.address.to_string());
    assert!(own.starts_with("HTTP/1.1 200 OK") && own.contains("<title>Halfply</title>"), "{own}");
    assert!(page("evil.example").starts_with("HTTP/1.1 403 Forbidden"));
    // An address in the path instead of the header.
    let text = format!("GET http://evil.example/ HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    assert!(!rest(server.connect(&text)).contains("evil"), "the answer does not depend on it");
}

#[test]
fn whatever_arrives_the_server_goes_on() {
    let server = Server::start();
    let address = server.address;
    let long = "x".repeat(1 << 20);
    for text in [
        "\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        format!("GET /{long} HTTP/1.1\r\nHost: {address}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {address}\r\nX: {long}\r\n\r\n"),
        format!("POST /api/position HTTP/1.1\r\nHost: {address}\r\nContent-Length: 18446744073709551615\r\n\r\n{{"),
        format!(
            "POST /api/position HTTP/1.1\r\nHost: {address}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"
        ),
        "\u{16}\u{3}\u{1}".to_owned(),
    ] {
        // The server may close the connection before everything is written.
        let mut stream = TcpStream::connect(address).unwrap();
        let _ = stream.write_all(text.as_bytes());
    }
    let position = rest(server.post("/api/position", r#"{"game": "chess"}"#));
    assert!(position.starts_with("HTTP/1.1 200 OK") && position.contains("\"e2e4\""), "{position}");
}

#[test]
fn a_closed_connection_makes_room_for_the_next_search() {
    let server = Server::start();
    let mut open = Vec::new();
    loop {
        let stream = server.post("/api/search", ENDLESS);
        let answer = status(stream.try_clone().unwrap());
        if answer.contains("503") {
            break;
        }
        assert!(answer.contains("200"), "{answer}");
        open.push(stream);
        assert!(open.len() <= 1024, "searches have no limit");
    }
    drop(open);
    let start = Instant::now();
    while !status(server.post("/api/search", ENDLESS)).contains("200") {
        assert!(start.elapsed() < Duration::from_secs(60), "the searches continue");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_server_and_its_searches() {
    use rustix::process::{Pid, Signal, kill_process};
    let mut server = Server::start();
    let search = server.post("/api/search", ENDLESS);
    let unfinished = server.connect("GET / HT");
    assert!(status(search.try_clone().unwrap()).contains("200"));
    kill_process(Pid::from_child(&server.process), Signal::INT).unwrap();
    let start = Instant::now();
    let exit = server.process.wait().unwrap();
    assert!(exit.success(), "{exit}");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    drop(unfinished);
}

#[test]
fn an_address_that_cannot_be_used_is_refused_with_the_way_out() {
    let server = Server::start();
    let port = server.address.port().to_string();
    let told = refusal(&["serve", "--port", &port]);
    assert!(told.contains(&format!("cannot listen on 127.0.0.1:{port}")) && told.contains("--port"), "{told}");
    assert!(refusal(&["serve", "--address", "localhost"]).contains("--address"));
    assert!(refusal(&["serve", "--allow-host", "http://x"]).contains("a name is without \"http://\""));
    assert!(refusal(&["serve", "--runs", "Cargo.toml"]).contains("name a folder that has runs"));
}
