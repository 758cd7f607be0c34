// SPDX-License-Identifier: GPL-3.0-or-later
//
// A UCI engine of Othello around Egaroucid for Web (https://github.com/Nyanyan/Egaroucid, src/web), which has no protocol of
// its own: the opponent of tournament/othello-egaroucid.toml. Every `go` searches at the level that is set, as far as the level
// says; clocks do not matter. In a clone of Egaroucid (measured with commit 8a98e5ae6):
//
//     sed -i 's/max(1ULL,/max((uint64_t)1,/g' src/web/*.hpp
//     g++ -O3 -march=native -std=c++17 -I src -o egaroucid PATH/TO/examples/egaroucid.cpp -pthread

#include <cctype>
#include <iostream>
#include <sstream>
#include <string>

#include "web/ai.hpp"

// Squares in the order of a FEN, from its top left; Egaroucid counts from the other end.
static int bit(int square) { return HW2_M1 - square; }
static std::string name(int square) { return {char('a' + square % HW), char('0' + HW - square / HW)}; }
static int square_of(const std::string& name) { return (HW - (name[1] - '0')) * HW + (name[0] - 'a'); }

// The discs of `P` and `p`; the side `w` has `P`.
static Board board_of(const std::string& placement, const std::string& side) {
    uint64_t first = 0, second = 0;
    int square = 0;
    for (char sign : placement.substr(0, placement.find('['))) {
        if (sign == '/') continue;
        if (std::isdigit(sign)) {
            square += sign - '0';
            continue;
        }
        (sign == 'P' ? first : second) |= 1ULL << bit(square++);
    }
    Board board;
    board.player = side == "w" ? first : second;
    board.opponent = side == "w" ? second : first;
    return board;
}

// `P@d6` puts a disc down. All else is a pass, an own disc to its own square.
static void play(Board& board, const std::string& move) {
    if (move.size() != 4 || move[1] != '@') {
        board.pass();
        return;
    }
    Flip flip;
    calc_flip(&flip, &board, bit(square_of(move.substr(2))));
    board.move_board(&flip);
}

static Board read_position(std::istringstream& words) {
    std::string word, placement = "8/8/8/3pP3/3Pp3/8/8/8", side = "w";
    words >> word;
    if (word == "fen") words >> placement >> side;
    Board board = board_of(placement, side);
    while (words >> word && word != "moves") {
    }
    while (words >> word) play(board, word);
    return board;
}

static void go(Board board, int level, bool use_book) {
    if (board.get_legal() == 0) {
        int own = 0;
        while (!(board.player >> bit(own) & 1)) ++own;
        std::cout << "bestmove " << name(own) << name(own) << std::endl;
        return;
    }
    Search_result result = ai(board, level, use_book, false, false);
    if (result.depth != SEARCH_BOOK) {
        std::cout << "info depth " << result.depth << " score cp " << 100 * result.value << " nodes " << result.nodes
                  << " time " << result.time << '\n';
    }
    std::cout << "bestmove P@" << name(bit(result.policy)) << std::endl;
}

int main() {
    // What Egaroucid says while it begins is no UCI.
    std::streambuf* output = std::cout.rdbuf(nullptr);
    std::cerr.rdbuf(nullptr);
    board_init();
    mobility_init();
    stability_init();
    parent_transpose_table.first_init();
    child_transpose_table.first_init();
    evaluate_init();
    book_init();
    std::cout.clear();
    std::cout.rdbuf(output);

    Board board = board_of("8/8/8/3pP3/3Pp3/8/8/8", "w");
    int level = 10;
    bool use_book = false;
    std::string line, word;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        words >> word;
        if (word == "uci") {
            std::cout << "id name Egaroucid for Web\nid author Takuto Yamana\n"
                         "option name Level type spin default 10 min 1 max 30\n"
                         "option name Book type check default false\n"
                         "option name UCI_Variant type combo default flipello var flipello\n"
                         "uciok"
                      << std::endl;
        } else if (word == "isready") {
            std::cout << "readyok" << std::endl;
        } else if (word == "setoption") {
            std::string option, value;
            words >> word >> option >> word >> value;
            if (option == "Level") level = std::stoi(value);
            if (option == "Book") use_book = value == "true";
        } else if (word == "ucinewgame") {
            parent_transpose_table.init();
            child_transpose_table.init();
        } else if (word == "position") {
            board = read_position(words);
        } else if (word == "go") {
            go(board, level, use_book);
        } else if (word == "quit") {
            break;
        }
    }
}
