/** A word that any POSIX shell reads back as exactly this text. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The supervisor is a pair of shells: one reads code from standard input, the other code from the
 * first, and descriptor 3 of both is the answer. -p, so that BASH_ENV is for commands alone.
 */
export const SUPERVISOR_ARGV: readonly string[] = [
  "sh",
  "-c",
  'shell=sh; command -v bash >/dev/null 2>&1 && shell="bash -p"; exec 3>&1; $shell | $shell',
];

export interface ProgramOptions {
  /** Folder where every command starts, as the supervisor sees it. */
  readonly workdir: string;
  /** Folder of the commands' outputs, as the supervisor sees it. */
  readonly folder: string;
  /** Letters, digits and dashes, unlike those of any other episode. */
  readonly mark: string;
}

/**
 * Lists the process groups that may live; the supervisor removes it at its orderly end. One that was
 * killed leaves it, and what it has started, to the next one in the same folder.
 */
export function groupsFile({ folder, mark }: ProgramOptions): string {
  return `${folder}/.groups-${mark}`;
}

/** What both shells begin with. */
const common = (options: ProgramOptions) => `
folder=${quote(options.folder)}
file=${quote(groupsFile(options))}
exec 2>/dev/null
[ -d "$folder" ] || mkdir -p "$folder"
set -m
case $- in *m*) lead= ;; *) lead=setsid ;; esac
`;

/**
 * The shell that runs one command after the other. It stands outside the command's group, so no
 * command can lose its own exit status by killing its group. Groups come from job control, which
 * bash has without a terminal and which leaves SIGINT as it was; other shells need setsid (and
 * there commands ignore SIGINT, as every background process of a POSIX shell does). The list of
 * groups is written in place: truncating a file twice a command costs more than the command.
 */
const runner = (options: ProgramOptions) => `${common(options)}
work=${quote(options.workdir)}
shell=sh
command -v bash >/dev/null && shell=bash
groups=
alive() {
  kill -0 "-$1"
}
note() {
  printf '%-200s\\n' "$1" 1<>"$file"
}
refuse() {
  printf 'X %s\\n' "$1" >&3
}
run() { # id, output file, command
  cd "$work" || { mkdir -p "$work" && cd "$work"; } || { refuse "$1"; return; }
  unset OLDPWD
  known=$groups
  groups=
  for group in $known; do alive "$group" && groups="$groups $group"; done
  export PMCODER_COMMAND="${options.mark}-$1."
  $lead "$shell" -c "$3" </dev/null >"$folder/$2" 2>&1 3>&- &
  leader=$!
  note "$groups $leader"
  printf 'S %s %s\\n' "$1" "$leader" >&3
  wait "$leader"
  status=$?
  left=1
  [ "$status" -gt 128 ] && alive "$leader" && sleep 0.1
  if alive "$leader"; then groups="$groups $leader"; else left=0; note "$groups"; fi
  [ -e "$folder/$2" ] || true >"$folder/$2" || { refuse "$1"; return; }
  [ -s "$folder/$2" ] && silent=0 || silent=1
  printf 'E %s %s %s %s\\n' "$1" "$status" "$left" "$silent" >&3
}
note
printf 'R\\n' >&3
`;

/**
 * Kills a command: its group at once, then whatever left the group (`timeout` makes one of its
 * own), known by the variable that it inherited. Without job control the leader may still be on
 * its way into its group.
 */
const killing = (options: ProgramOptions) => `
sweep() { # mark, and what follows it
  for round in 1 2 3; do
    found=$(grep -lzF "PMCODER_COMMAND=$1" /proc/[0-9]*/environ)
    [ "$found" ] || return 0
    for process in $found; do
      process=\${process#/proc/}
      kill -9 "\${process%/environ}"
    done
  done
}
end() { # id, group
  kill -9 "-$2" || { kill -9 "$2"; kill -9 "-$2"; }
  sweep "${options.mark}-$1."
  printf 'K %s\\n' "$1" >&3
}
`;

/** A process of its own, in a group of its own, for as long as one command's limit matters. */
const watcher = (options: ProgramOptions) => `${killing(options)}
sleep "$3" || sleep "$4"
printf 'T %s\\n' "$1" >&3
end "$1" "$2"
`;

/**
 * Code for the supervisor's standard input; calls of its functions follow it. It answers in lines:
 *
 *   R                      ready
 *   S id group             the command runs, as leader of this process group
 *   T id                   its time is over; it is about to be killed
 *   K id                   it was killed, with everything it started
 *   G id                   its leader is gone, so that its exit status is due
 *   E id status left silent  its exit status; left is 1 while its group has members, silent is 1
 *                          when it printed nothing
 *   X id                   it could not be started
 *   Z id bytes             the size of a file of the folder
 *
 * A file's content is lines of their own, base64 or numbers after a blank, before E id.
 *
 * This is the shell that controls while the runner waits. The end of its input ends everything
 * that still lives, also when the process at the other end was killed.
 */
export const supervisorProgram = (options: ProgramOptions): string => `
command -v bash >/dev/null || command -v setsid >/dev/null || {
  echo 'neither bash nor setsid is here' >&2
  exit 1
}
${common(options)}
${killing(options)}
pass() { # code for the runner
  printf '%s\\n' "$1" || exit
}
save() { # file; its text is the input
  cat >"$folder/$1"
}
copy() { # id, file, source
  status=1
  [ -f "$3" ] && cat "$3" </dev/null >"$folder/$2" && status=0
  printf 'E %s %s 0\\n' "$1" "$status" >&3
}
size() { # id, file
  size=0
  [ -f "$folder/$2" ] && size=$(stat -L -c %s "$folder/$2" || wc -c <"$folder/$2")
  printf 'Z %s %s\\n' "$1" "$((size))" >&3
}
encode=base64
command -v base64 >/dev/null || encode='od -An -v -tx1'
fetch() { # id, file, bytes before it, how many
  if [ ! -f "$folder/$2" ]; then :
  elif [ "$3" = 0 ]; then head -c "$4" "$folder/$2" | $encode >&3
  else tail -c "+$(($3 + 1))" "$folder/$2" | head -c "$4" | $encode >&3
  fi
  printf 'E %s\\n' "$1" >&3
}
discard() { # file
  rm -f "$folder/$1"
}
watch=${quote(watcher(options))}
watching=
limit() { # id, group, seconds, whole seconds for a sleep without fractions
  $lead sh -c "$watch" sh "$@" </dev/null >/dev/null &
  watching=$!
}
release() {
  [ "$watching" ] || return 0
  kill -9 "$watching"
  kill -9 "-$watching"
  wait "$watching"
  watching=
}
probe() { # id, group
  [ -d /proc/self ] && [ ! -d "/proc/$2" ] && printf 'G %s\\n' "$1" >&3
}
quit() {
  trap - EXIT
  release
  read -r groups <"$file"
  for group in $groups; do kill -9 "-$group"; done
  sweep "${options.mark}-"
  rm -f "$file"
}
trap quit EXIT
trap : PIPE
for left in "$folder"/.groups-*; do
  [ -e "$left" ] && [ "$left" != "$file" ] || continue
  sweep "\${left##*.groups-}-"
  rm -f "$left"
done
pass ${quote(runner(options))}
`;
