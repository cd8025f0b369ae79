import { describe, expect, it } from "vitest";
import { codeWrites } from "../../../src/substrate/shell/code-writes.ts";

/** A program's changes as `kind path`, `?` for one that its text does not name, products in brackets. */
function told(source: string, language: "python" | "javascript", argv: readonly string[] = []) {
  const { writes, unresolved } = codeWrites(source, language, argv);
  const named = writes.map(({ kind, path, product }) =>
    product ? `[${path}]` : `${kind} ${path}`,
  );
  return [...named, ...(unresolved ? ["?"] : [])];
}

const python: readonly (readonly [string, readonly string[]])[] = [
  ["open('a.py', 'w')", ["write a.py"]],
  ["open('a.py', mode='a')", ["write a.py"]],
  ["open(file='a.py', mode='r+b')", ["write a.py"]],
  ["open('a.py')\nopen('b.py', 'rb')", []],
  ["s = open('a.py').read()\nopen('a.py', 'w').write(s)", ["edit a.py"]],
  ["p = Path('a.py')\np.write_text(p.read_text())", ["edit a.py"]],
  ["io.open('a.py', 'x')", ["write a.py"]],
  ["Path('a.py').write_text('x')", ["write a.py"]],
  ["p = Path('src') / 'a.py'\np.write_bytes(b'')", ["write src/a.py"]],
  ["Path('a.py').open('w')", ["write a.py"]],
  ["from pathlib import Path\nfor p in Path('src').glob('*'):\n  p.write_text('')", ["?"]],
  ["shutil.copy('a.py', 'b.py')", ["write b.py"]],
  ["shutil.move('a.py', 'b.py')", ["delete a.py", "write b.py"]],
  ["os.rename('a.py', 'b.py')", ["delete a.py", "write b.py"]],
  ["os.remove('a.py')\nshutil.rmtree('d')", ["delete a.py", "delete d"]],
  ["Path('a.py').unlink()", ["delete a.py"]],
  ["Path('a.py').rename('b.py')", ["delete a.py", "write b.py"]],
  ["'x'.replace('a', 'b')\ns.replace('c', 'd')", []],
  ["fileinput.input('a.py', inplace=True)", ["edit a.py"]],
  ["fileinput.input(['a.py', 'b.py'], inplace=1)", ["edit a.py", "edit b.py"]],
  ["fileinput.input('a.py')", []],
  ["f = 'a.py'\nwith open(f, 'w') as h:\n  h.write('x')", ["write a.py"]],
  ["f: str = 'a.py'\nopen(f, 'w')", ["write a.py"]],
  ["for f in ['a.py', 'b.py']:\n  open(f, 'w')", ["write a.py", "write b.py"]],
  ["files = ('a.py', 'b.py')\nfor f in files:\n  open(f, 'w')", ["write a.py", "write b.py"]],
  ["d = 'src'\nopen(f'{d}/a.py', 'w')", ["write src/a.py"]],
  ["d = 'src'\nopen(os.path.join(d, 'a.py'), 'w')", ["write src/a.py"]],
  ["d = 'src'\nopen(d + '/a.py', 'w')", ["write src/a.py"]],
  [
    "def fix(path, n):\n  open(path, 'w')\nfix('a.py', 1)\nfix(path='b.py', n=2)",
    ["write a.py", "write b.py"],
  ],
  ["import sys\nopen(sys.argv[1], 'w')", ["write given.py"]],
  ["open(sys.argv[3], 'w')", ["?"]],
  ["open(f'{d}/x.py', 'w')", ["?"]],
  ["open(name(), 'w')", ["?"]],
  [
    "with tempfile.TemporaryDirectory() as d:\n  open(os.path.join(d, 'x'), 'w')",
    ["write /tmp/unnamed/x"],
  ],
  ["d = tempfile.mkdtemp()\nopen(d + '/x', 'w')", ["write /tmp/unnamed/x"]],
  ["# open('a.py', 'w')\ns = \"open('b.py', 'w')\"\n'''\nopen('c.py', 'w')\n'''", []],
  ["code = 'x = \\'y\\''\nopen('a.py', 'w').write(code)", ["write a.py"]],
  ["open(r'a\\b.py', 'w')", ["write a\\b.py"]],
  ["subprocess.Popen('a.py', 'w')\nwebbrowser.open('x.py')", []],
  ["plt.savefig('a.png')\ndf.to_csv(name)\nnp.save('b.npy', x)", ["[a.png]", "[b.npy]"]],
  ["t.write('a.fits', format='fits')\nh.write('a.b')", ["[a.fits]"]],
  ["img.save('no extension')", []],
  ["open('a.py', 'w'", ["write a.py"]],
  ["", []],
];

const javascript: readonly (readonly [string, readonly string[]])[] = [
  ["require('fs').writeFileSync('a.js', 'x')", ["write a.js"]],
  ["import { writeFile } from 'node:fs/promises';\nawait writeFile(\"a.js\", x)", ["write a.js"]],
  ["const f = 'a.js'; fs.appendFileSync(f, '')", ["write a.js"]],
  ["const d = 'src'; fs.writeFileSync(`\x24{d}/a.js`, '')", ["write src/a.js"]],
  ["fs.writeFileSync(path.join('src', 'a.js'), '')", ["write src/a.js"]],
  ["for (const f of ['a.js', 'b.js']) fs.unlinkSync(f)", ["delete a.js", "delete b.js"]],
  ["fs.renameSync('a.js', 'b.js')", ["delete a.js", "write b.js"]],
  ["fs.copyFileSync('a.js', 'b.js')", ["write b.js"]],
  ["fs.rmSync('d', { recursive: true })", ["delete d"]],
  ["fs.writeFileSync(process.argv[2], '')", ["write given.py"]],
  ["fs.writeFileSync(name(), '')", ["?"]],
  ["fs.readFileSync('a.js'); // writeFileSync('b.js')\n/* writeFile('c.js') */", []],
  ["'fs.writeFileSync(1)'; rm('x')", []],
];

describe("files that a program would change", () => {
  it.each(python)("python: %s", (source, changes) => {
    expect(told(source, "python", ["given.py"])).toEqual(changes);
  });

  it.each(javascript)("javascript: %s", (source, changes) => {
    expect(told(source, "javascript", ["given.py"])).toEqual(changes);
  });

  it("gives up on names that go in circles or grow without end", () => {
    const circle = "a = b\nb = a\nopen(a, 'w')";
    const fan = Array.from({ length: 40 }, (_, i) => `a${i} = a${i + 1}\n`.repeat(30)).join("");
    expect(told(circle, "python")).toEqual(["?"]);
    expect(told(`${fan}open(a0, 'w')`, "python")).toEqual(["?"]);
  });
});
