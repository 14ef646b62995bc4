/**
 * Programs on another machine keep running after zotui has stopped waiting for them. Their process ids are kept in files there, so
 * that they can be ended before others work on the same files.
 */
import { quoted } from '../shell/quoting.ts'

/** The command that runs a program and first writes its process id into a file. */
export function recorded(words: readonly string[], pidFile: string): string {
  return `sh -c '{ echo $$ >"$0"; } 2>/dev/null; exec "$@"' ${[pidFile, ...words].map(quoted).join(' ')}`
}

/** The script that ends a program if it still runs, and fails if it does not end. `word` is in its arguments: ids are used again. */
export function endScript(pidFile: string, word: string): string {
  const file = quoted(pidFile)
  return String.raw`p=; [ ! -f ${file} ] || IFS= read -r p <${file}
case $p in *[!0-9]*) p=;; esac
words() { if [ -r "/proc/$p/cmdline" ]; then tr '\000' ' ' <"/proc/$p/cmdline"; else ps -ww -o args= -p "$p"; fi; }
n=0
while [ "$p" ] && words 2>/dev/null | grep -qF -- ${quoted(word)}; do
  [ "$n" -lt 50 ] || { echo "process $p of before does not end there" >&2; exit 1; }
  kill -9 "$p" 2>/dev/null; n=$((n + 1)); sleep 0.1 2>/dev/null || sleep 1
done
rm -f -- ${file}`
}
