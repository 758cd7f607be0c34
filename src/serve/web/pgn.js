// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of moves: marks and comments, as people read them, and a game as PGN (Edwards 1994), which has all of it.

/** The signs of marks, by their numbers in PGN. */
const SIGNS = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "+/=", 15: "=/+", 16: "±", 17: "∓", 18: "+−", 19: "−+",
  36: "→", 37: "→", 40: "↑", 41: "↑", 44: "=/∞", 45: "=/∞", 132: "⇆", 133: "⇆", 146: " N",
};

/** The marks that people give to moves and to positions, with what they mean. The positions' are told of the first player and of the
 * second. */
export const MOVE_MARKS = { 1: "good", 2: "mistake", 3: "brilliant", 4: "blunder", 5: "interesting", 6: "dubious" };
export const POSITION_MARKS = {
  10: "even", 13: "unclear", 14: "a bit better", 15: "a bit better", 16: "better", 17: "better", 18: "winning", 19: "winning",
};

/** Gives a move one of these marks instead of another of them, or none of them if `chosen` is 0. */
export function mark(move, among, chosen) {
  const others = (move.nags ?? []).filter(nag => !(nag in among));
  move.nags = [...others, chosen].filter(Boolean).sort((one, other) => one - other);
}

/** Which of these marks a move has, and what can be chosen: pairs of number and text. */
export function choiceOf(move, among, [first, second]) {
  const who = nag => (nag < 14 ? "" : `${nag % 2 === 0 ? first : second} `);
  const options = Object.keys(among).map(nag => [nag, `${SIGNS[nag]} ${who(nag)}${among[nag]}`]);
  return [String((move.nags ?? []).find(nag => nag in among) ?? 0), options];
}

/** The marks of a move; that of a review, if the file has none from `!` to `?!`. */
function marksOf({ nags = [], judged }) {
  const found = nags.some(nag => nag <= 6) ? -1 : Object.values(SIGNS).indexOf(judged?.sign);
  return found < 0 ? nags : [found + 1, ...nags];
}

/** The same as signs. */
export const signsOf = move => marksOf(move).map(nag => SIGNS[nag] ?? ` $${nag}`).join("");

/** A comment without what is for programs, such as clocks. */
export const spoken = ({ comment = "" }) => comment.replace(/\[%[^\]]*\]/g, " ").trim();

/** The same beside the moves, where figures of a program would be noise: `+0.35/8 1200n`, `book`. */
export const remark = move => spoken(move).replace(/^(book|[-+]?[M\d.]+\/\d+\b.*)$/, "");

/** A game as PGN with its variations. `header` has its tags, and `first` is the number of its first move. */
export function pgnOf(root, header, first) {
  const words = [];
  // A number stands before each move of the first player, and behind whatever interrupts the moves.
  const write = (name, isFirst, number, isAnew) => {
    if (isFirst || isAnew) words.push(`${number}${isFirst ? "." : "..."}`);
    words.push(name);
  };
  const inBrackets = act => {
    const begin = words.length;
    act();
    words[begin] = `(${words[begin]}`;
    words.push(`${words.pop()})`);
  };
  const say = ({ comment = "", worth }) => {
    const text = worth?.eval ? `[%eval ${worth.eval}] ${comment.replace(/\[%eval[^\]]*\]/g, "")}` : comment;
    if (text.trim()) words.push(...`{${text.trim().replaceAll("}", ")")}}`.split(/\s+/));
    return Boolean(text.trim());
  };
  const line = (begin, number) => {
    for (let [move, isAnew] = [begin, true]; move; [move] = move.children) {
      const isFirst = move.side === "white";
      write(move.name, isFirst, number, isAnew);
      words.push(...marksOf(move).map(nag => `$${nag}`));
      isAnew = say(move);
      const others = move.parent.children[0] === move ? move.parent.children.slice(1) : [];
      for (const other of others) inBrackets(() => line(other, number));
      const better = move.judged?.sign ? move.judged.better : [];
      if (better.length > 0) {
        inBrackets(() => better.forEach((name, place) => {
          const isFirsts = isFirst === (place % 2 === 0);
          write(name, isFirsts, number + Math.floor((place + Number(!isFirst)) / 2), place === 0);
        }));
      }
      isAnew ||= others.length > 0 || better.length > 0;
      if (!isFirst) number++;
    }
  };
  say({ comment: root.comment });
  line(root.children[0], first);
  words.push(/^\[Result "(.*)"\]$/m.exec(header)?.[1] ?? "*");
  // Lines have at most 79 characters.
  return `${header.trim()}\n\n${words.join(" ").replace(/(.{1,79})( |$)/g, "$1\n")}\n`;
}
