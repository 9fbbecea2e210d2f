/** The oldest items are given up while somebody reads, searches, selects: what is held stays as it was, and nothing moves on the screen. */
import { expect, test } from "bun:test";
import type { Item } from "../../../../src/tui/model/items.ts";
import { counter } from "../../../../src/tui/view/search-bar.ts";
import { createTranscript } from "../../../../src/tui/view/transcript.ts";
import { markdown, randomFrom } from "./random-markdown.ts";
import { answer, createSession, MEASURE, type Session, texts, user } from "./stage.ts";

const SIZE = [60, 10] as const;
const earlier = (text: string): Item => ({ id: "earlier", seq: 0, kind: "notice", tone: "muted", text });

function open(session: Session) {
  const transcript = createTranscript({ measure: () => MEASURE });
  const draw = () => {
    transcript.update(session.state());
    return texts(transcript.rows(...SIZE));
  };
  draw();
  return { transcript, draw };
}

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => answer(`a${from + at}`, `answer number ${from + at}`));

test("what is read stays where it is while what is above it is given up", () => {
  const session = createSession(numbered(100));
  const { transcript, draw } = open(session);
  transcript.scroll(-60);
  const read = draw();
  session.push(...numbered(10, 100));
  session.giveUp(40, earlier("40 earlier"));
  expect([draw(), transcript.isFollowing(), transcript.unseen()]).toEqual([read, false, 10]);
  transcript.toStart();
  expect(draw().slice(0, 2)).toEqual(["   · 40 earlier", ""]);
  transcript.toEnd();
  expect(draw().at(-1)).toBe("   answer number 109");
});

test("where what is read is given up itself, the beginning of what is held is shown", () => {
  const session = createSession(numbered(100));
  const { transcript, draw } = open(session);
  transcript.toStart();
  draw();
  session.giveUp(40, earlier("40 earlier"));
  expect([draw()[0], transcript.isFollowing()]).toEqual(["   · 40 earlier", false]);
});

test("how far down one is follows from the heights of what is held", () => {
  const session = createSession(
    numbered(30).map((item, at) => (at % 7 === 0 ? answer(item.id, "a\n\n".repeat(at)) : item)),
  );
  /** Everything is laid out, so that nothing is estimated. */
  const walked = ({ transcript, draw }: ReturnType<typeof open>) => {
    transcript.toStart();
    for (let page = 0; page < 40; page++) {
      draw();
      transcript.scroll(10);
    }
    transcript.toStart();
    draw();
    transcript.scroll(25);
    draw();
    return transcript.position();
  };
  const held = open(session);
  walked(held);
  session.giveUp(10, earlier("10 earlier"));
  expect(walked(held)).toBe(walked(open(session)));
});

test("another session that has given up as much is another all the same", () => {
  const [one, other] = [createSession(numbered(100)), createSession(numbered(100, 500))];
  const { transcript, draw } = open(one);
  one.giveUp(40, earlier("40 earlier"));
  other.giveUp(40, earlier("40 earlier"));
  transcript.scroll(-20);
  draw();
  transcript.update(other.state());
  expect([texts(transcript.rows(...SIZE)).at(-1), transcript.isFollowing()]).toEqual(["   answer number 599", true]);
});

test("the search counts what is held, and says that it is a part", () => {
  const session = createSession(numbered(100));
  const { transcript, draw } = open(session);
  const { search } = transcript;
  search.find("number");
  search.move(-1);
  draw();
  expect(counter(search.status())).toBe("99 of 100");
  session.giveUp(40, earlier("40 earlier"));
  draw();
  expect(counter(search.status())).toBe("59 of 60 in this part");
  search.move(1);
  search.move(1);
  draw();
  expect(counter(search.status())).toBe("1 of 60 in this part");
  session.push(answer("z", "number"));
  session.giveUp(30, earlier("69 earlier"));
  draw();
  expect(counter(search.status())).toBe("32 found in this part");
  search.find("answer number 39");
  expect(counter(search.status())).toBe("nothing found in this part");
});

test("what is focused and selected stays so as long as it is held", () => {
  const session = createSession(numbered(100));
  const { transcript, draw } = open(session);
  transcript.focus("previous-item");
  transcript.selection.down(3, 9, 3);
  transcript.selection.up();
  const before = [transcript.focused()?.id, transcript.selection.text()];
  session.giveUp(40, earlier("40 earlier"));
  draw();
  expect([transcript.focused()?.id, transcript.selection.text()]).toEqual(before);
  session.push(...numbered(10, 100));
  session.giveUp(61, earlier("100 earlier"));
  draw();
  expect([transcript.focused(), transcript.selection.isActive()]).toEqual([undefined, false]);
});

test("whatever is given up meanwhile, what is seen is what a new transcript shows, and no line of the rest is kept", () => {
  for (let seed = 1; seed <= 25; seed++) {
    const random = randomFrom(seed);
    const session = createSession([user("u", "go")]);
    const { transcript, draw } = open(session);
    for (let step = 0; step < 60; step++) {
      session.push(answer(`s${step}`, markdown(random, 1 + random(4))));
      if (random(6) === 0) session.giveUp(1 + random(session.items.length - 1), earlier(`${step} earlier`));
      if (random(4) === 0) transcript.scroll(random(40) - 20);
      if (random(5) === 0) transcript.jumpTo(random(100) / 100);
      const seen = draw();
      if (!transcript.isFollowing()) continue;
      expect({ seed, step, seen }).toEqual({ seed, step, seen: open(session).draw() });
    }
    transcript.toEnd();
    draw();
    session.giveUp(session.items.length - 1, earlier("all"));
    draw();
    expect(transcript.bytes()).toBe(open(session).transcript.bytes());
    expect([...texts([...transcript.lines({ width: 60 })])]).toEqual([
      ...texts([...open(session).transcript.lines({ width: 60 })]),
    ]);
  }
});
