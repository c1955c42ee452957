import assert from "node:assert/strict";
import { test } from "node:test";
import { type Frame, subscribe, unsubscribe } from "../dist/generated/streams.js";

test("what is asked for is typed, and the frames are told apart by their channel", () => {
  const book = { source: "book", symbol: "BTC", agg_level: 10 } as const;
  const params = '"params":{"source":"book","symbol":"BTC","agg_level":10}';
  assert.equal(subscribe(book), `{"method":"subscribe",${params}}`);
  assert.equal(unsubscribe(book), `{"method":"unsubscribe",${params}}`);
  // @ts-expect-error: a book has a symbol
  assert.ok(subscribe({ source: "book" }));

  const text =
    '{"channel":"account_trades","li":7,"data":[{"h":1,"i":2,"s":"BTC","p":"1.50","a":"2","te":"fulfill_maker","ts":"open_long","f":"0","t":3}]}';
  const frame: Frame = JSON.parse(text);
  assert.equal(frame.channel === "account_trades" ? frame.data[0]?.p : undefined, "1.50");
  // @ts-expect-error: only a book has levels
  assert.equal(frame.data.l, undefined);
});
