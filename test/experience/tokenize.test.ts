import { describe, expect, it } from "vitest";
import { codeAware, whitespace, words } from "../../src/experience/tokenize.ts";

describe("terms of a text", () => {
  it.each([
    ["KeyError: 'admin.form'\n_x2", ["keyerror", "admin", "form", "_x2"]],
    ["Größe naïve 数据", ["größe", "naïve", "数据"]],
    ["--- !!!", []],
    ["", []],
  ])("are its words: %j", (text, terms) => {
    expect(words(text)).toEqual(terms);
  });

  it.each([
    ["Fix MigrationWriter,  please\n", ["fix", "migrationwriter,", "please"]],
    [" \t", []],
  ])("are what stands between white space: %j", (text, terms) => {
    expect(whitespace(text)).toEqual(terms);
  });

  it.each([
    ["the MigrationWriter", ["migrationwriter", "migration", "writer"]],
    ["get_queryset()", ["get_queryset", "get", "queryset"]],
    ["_private __init__", ["_private", "private", "__init__", "init"]],
    [
      "HTTPResponse2xx parseURL",
      ["httpresponse2xx", "http", "response2xx", "parseurl", "parse", "url"],
    ],
    [
      "django.db.models.QuerySet.",
      ["django.db.models.queryset", "django", "db", "models", "queryset", "query", "set"],
    ],
    ["for x in self.items: #123", ["x", "self.items", "self", "items", "123"]],
    ["is not the", []],
  ])("are names of code, whole and in parts: %j", (text, terms) => {
    expect(codeAware(text)).toEqual(terms);
  });
});
