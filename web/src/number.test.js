import assert from "node:assert/strict";
import { test } from "node:test";
import { dragged, numberAt } from "./number.js";

const found = (line, part) => numberAt(line, line.indexOf(part))?.text ?? null;

test("a number is found with the sign that belongs to it", () => {
  assert.equal(found("speed = 1.4", "1.4"), "1.4");
  assert.equal(found("x = -2", "2"), "-2");
  assert.equal(found("{ -0.5, 3 }", "0.5"), "-0.5");
  assert.equal(found("f(a - 2)", "2"), "2");
  assert.equal(found("a-2", "2"), "2");
});

test("names, strings, comments and other numerals are left alone", () => {
  assert.equal(found("vec3", "3"), null);
  assert.equal(found('play "Walk 2"', "2"), null);
  assert.equal(found("-- 3 steps", "3"), null);
  assert.equal(found("x = 0x1F", "0x"), null);
  assert.equal(found("x = 1e5", "1e5"), null);
});

test("a drag moves by steps of the last digit and keeps the digits", () => {
  assert.equal(dragged("1.4", 30), "2.4");
  assert.equal(dragged("1.40", 30), "1.50");
  assert.equal(dragged("0.1", -3), "0.0");
  assert.equal(dragged("5", 24), "7");
  assert.equal(dragged("200", -24), "180");
});
