import { quote, unsetGit } from "./script.ts";

/** Exit statuses of our scripts that say something. */
export const status = { noGit: 81, noFolder: 82, noRepository: 83, gone: 84, noBase: 85 } as const;

/**
 * Line ends, filters and diff drivers of the repository are switched off: the base and the patch
 * hold the bytes that stand in the work tree, so the patch applies to that tree.
 */
const attributes = "* !diff !merge !whitespace -text -ident -filter -working-tree-encoding";

/** `core.fsync`: the directory lives as long as the run, so nothing waits for the disk. */
const config = `[core]
	bare = false
	fileMode = true
	symlinks = true
	autocrlf = false
	compression = 0
	fsync = none
[gc]
	auto = 0
[pack]
	compression = 0
[advice]
	addEmbeddedRepo = false`;

/**
 * `stage LIST REFUSED` brings the listed paths of the index to what the work tree holds; those that
 * git cannot read are appended to REFUSED. One process, or one a path when some path is refused.
 */
export const stageFunction = `stage() {
  git update-index --add --remove --replace -z --stdin < "$1" 2>/dev/null && return
  xargs -0 -n 1 sh -c '
    git update-index --add --remove --replace -- "$1" 2>/dev/null || printf "%s\\0" "$1" >> "$0"
  ' "$2" < "$1"
}`;

/** `drop_nested` takes submodules and nested repositories out of the index: they are not our files. */
const dropFunction = `drop_nested() {
  git ls-files -z -s | tr '\\000\\n' '\\n\\000' |
    sed -n "s/^160000 [0-9a-f]* 0$(printf '\\t')//p" | tr '\\000\\n' '\\n\\000' > "$store/nested"
  [ -s "$store/nested" ] && git update-index -z --force-remove --stdin < "$store/nested"
}`;

const refuseFolder = `rm -rf "$store"; echo "$top"; exit ${status.noRepository}`;

/** Where there is no repository, nothing is taken down: an empty one stands for it. */
const emptyFolder = `top="$store/nothing"; git init --quiet --template= "$top" && cd "$top" || exit 1`;

/**
 * HOME is the private folder, so that git reads no settings of the user's or the agent's and takes
 * a repository whoever owns it. The repository lends its objects until those of the tree are packed:
 * 10,000 files take 0.5 s, against 1.5 s for writing each anew. A plain `add` would touch the lent
 * packs, and a container would copy them; comparing with HEAD first spares that. Without a commit
 * nothing is lent, and the low threshold puts all files into one pack at once.
 */
export const snapshotScript = (
  records: string,
  wantsRepository: boolean,
): string => `${stageFunction}
${dropFunction}
command -v git >/dev/null || exit ${status.noGit}
${unsetGit}
global=$(git config --path core.excludesFile) ||
  global="\${XDG_CONFIG_HOME:-$HOME/.config}/git/ignore"
unset XDG_CONFIG_HOME
export LC_ALL=C GIT_OPTIONAL_LOCKS=0
for parent in ${quote(records)} /var/tmp "\${TMPDIR:-/tmp}" /tmp; do
  store=$(mktemp -d "$parent/pmcoder-base.XXXXXXXX" 2>/dev/null) && break
done
[ -d "$store" ] || exit ${status.noFolder}
export HOME="$store"
printf '[safe]\\n\\tdirectory = *\\n' > "$HOME/.gitconfig"

top=$(git rev-parse --show-toplevel 2>&1) || {
  ${wantsRepository ? refuseFolder : emptyFolder}
}
commit=$(git rev-parse --quiet --verify 'HEAD^{commit}')
exclude=$(git rev-parse --git-path info/exclude)
for rules in "$global" "$exclude"; do
  [ -f "$rules" ] && cat "$rules" && echo
done > "$store/exclude"
objects=$(cd "$(git rev-parse --git-path objects)" && pwd)
[ "$(git rev-parse --show-object-format)" = sha256 ] && format=--object-format=sha256
git -c core.fsmonitor=false ls-files -z -c -i --exclude-standard -X "$store/exclude" > "$store/kept"

cd "$top" || exit ${status.noRepository}
export GIT_DIR="$store/repository" GIT_WORK_TREE="$top"
git -c init.defaultBranch=main init --quiet --template= $format || exit 1
printf '%s\\n' ${quote(config)} >> "$GIT_DIR/config"
mkdir -p "$GIT_DIR/info" "$GIT_DIR/objects/info"
printf '%s\\n' "$objects" > "$GIT_DIR/objects/info/alternates"
printf '%s\\n' ${quote(attributes)} > "$GIT_DIR/info/attributes"
mv "$store/exclude" "$GIT_DIR/info/exclude"
git ls-files -z -o -i --exclude-standard > "$store/ignored"
if [ -n "$commit" ]; then
  git read-tree "$commit" || exit 1
  drop_nested
  git update-index -q --refresh
else
  set -- -c core.bigFileThreshold=1
fi
git "$@" add -A --ignore-errors . 2> "$store/refused"
[ $? -le 1 ] || { cat "$store/refused"; exit 1; }
stage "$store/kept" "$store/refused"
drop_nested
git ls-files -z -o --exclude-standard > "$store/unbased"
git ls-files -z > "$store/files"
tree=$(git write-tree) || exit 1
printf '%s\\n' "$tree" |
  git pack-objects --quiet --revs --window=0 "$GIT_DIR/objects/pack/pack" > "$store/pack" || exit 1
rm "$GIT_DIR/objects/info/alternates"
: > "$store/started"
printf %s "$top" > "$store/top"
printf '\\0%s\\0%s\\0%s\\0%s' "$tree" "\${commit:--}" "$top" "$store"
`;
