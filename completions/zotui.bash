# Completion of zotui for bash. Add this to ~/.bashrc:  source <(zotui completion bash)
_zotui() {
  local IFS=$'\n'
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -gt 1 ]; then
    case ${COMP_WORDS[1]} in sessions|find|show|export|import|board|conversations|attach|stop|serve|review|usage|replay|checkpoints|worktrees|doctor|permissions|sandbox|container|kubernetes|prompts|completion) command=${COMP_WORDS[1]} ;; esac
  fi
  # bash splits --flag=value into three words.
  if [ "$current" = = ]; then
    current=
  elif [ "$previous" = = ]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $command:$previous in
    :--resume|:-r)  return ;;
    :--prompt)  return ;;
    :--cwd) COMPREPLY=($(compgen -d -- "$current")); return ;;
    :--on)  return ;;
    :--via)  return ;;
    :--agent) COMPREPLY=($(compgen -W 'zot
claude
codex
gemini
opencode
qwen
copilot
vibe
cline
meerkat
roz' -- "$current")); return ;;
    :--zot) COMPREPLY=($(compgen -f -- "$current")); return ;;
    :--record) COMPREPLY=($(compgen -f -- "$current")); return ;;
    :--output-schema) COMPREPLY=($(compgen -f -- "$current")); return ;;
    :--timeout)  return ;;
    :--theme) COMPREPLY=($(compgen -W 'auto
dark
light
ansi
high-contrast
colorblind' -- "$current")); return ;;
    :--max-cost)  return ;;
    :--permissions) COMPREPLY=($(compgen -W 'ask
edits
contained
plan
allow
read' -- "$current")); return ;;
    :--sandbox) COMPREPLY=($(compgen -W 'off
on
closed' -- "$current")); return ;;
    :--permission-tool)  return ;;
    :--tools)  return ;;
    :--ext) COMPREPLY=($(compgen -d -- "$current")); return ;;
    :--max-steps)  return ;;
    :--provider)  return ;;
    :--model)  return ;;
    :--reasoning) COMPREPLY=($(compgen -W 'off
minimum
low
medium
high
xhigh
max' -- "$current")); return ;;
    :--temperature)  return ;;
    :--base-url)  return ;;
    :--api-key)  return ;;
    :--system-prompt)  return ;;
    :--append-system-prompt)  return ;;
    find:--agent)  return ;;
    find:--since)  return ;;
    find:--kind) COMPREPLY=($(compgen -W 'prompt
answer
command
result
diff
file' -- "$current")); return ;;
    find:--max|find:-n)  return ;;
    export:--format|export:-f) COMPREPLY=($(compgen -W 'md
html
json
zotsession' -- "$current")); return ;;
    export:--output|export:-o) COMPREPLY=($(compgen -f -- "$current")); return ;;
    serve:--at)  return ;;
    serve:--port)  return ;;
    review:--rev)  return ;;
    review:--fail-on) COMPREPLY=($(compgen -W 'error
warning
note
never' -- "$current")); return ;;
    review:--timeout)  return ;;
    review:--max-cost)  return ;;
    review:--agent)  return ;;
    review:--provider)  return ;;
    review:--model)  return ;;
    review:--reasoning)  return ;;
    review:--base-url)  return ;;
    review:--cwd) COMPREPLY=($(compgen -d -- "$current")); return ;;
    review:--on)  return ;;
    usage:--days|usage:-d)  return ;;
    usage:--by)  return ;;
    replay:--speed)  return ;;
    permissions:--mode) COMPREPLY=($(compgen -W 'ask
edits
contained
plan
allow
read' -- "$current")); return ;;
    permissions:--cwd) COMPREPLY=($(compgen -d -- "$current")); return ;;
  esac
  case $command in
    '')
      words='--help
-h
--version
-v
--continue
-c
--resume
-r
--prompt
--cwd
--on
--via
--demo
--agent
--zot
--record
--print
-p
--json
--quiet
--output-schema
--timeout
--background
--theme
--ascii
--screen-reader
--max-cost
--permissions
--sandbox
--permission-tool
--read-only
--tools
--ext
--max-steps
--insecure
--provider
--model
--reasoning
--temperature
--base-url
--api-key
--system-prompt
--append-system-prompt
--no-color
--no-guard
--no-read-only
--no-tools
--no-ext
--no-skill
--no-context-files'
      if [ "$COMP_CWORD" -eq 1 ]; then words="$words
sessions
find
show
export
import
board
conversations
attach
stop
serve
review
usage
replay
checkpoints
worktrees
doctor
permissions
sandbox
container
kubernetes
prompts
completion"; fi ;;
    sessions) words='--all
-a
--json
--help
-h'; ;;
    find) words='--folder
--agent
--since
--kind
--failed
--max
-n
--json
--help
-h'; ;;
    show) words='--help
-h'; ;;
    export) words='--format
-f
--output
-o
--force
--help
-h'; ;;
    import) words='--help
-h'; COMPREPLY=($(compgen -f -- "$current")); ;;
    board) words='--json
--follow
--requests
--here
--help
-h'; ;;
    conversations) words='--json
--help
-h'; ;;
    attach) words='--help
-h'; ;;
    stop) words='--help
-h'; ;;
    serve) words='--at
--port
--help
-h'; ;;
    review) words='--rev
--json
--sarif
--fail-on
--quiet
--timeout
--max-cost
--agent
--provider
--model
--reasoning
--base-url
--cwd
--on
--demo
--help
-h'; ;;
    usage) words='--days
-d
--folder
--by
--json
--csv
--help
-h'; ;;
    replay) words='--speed
--paused
--at-once
--help
-h'; COMPREPLY=($(compgen -f -- "$current")); ;;
    checkpoints) words='--keep-mine
--force
--json
--help
-h
list
show
restore
undo
prune'; ;;
    worktrees) words='--json
--help
-h
list
clean'; ;;
    doctor) words='--json
--help
-h'; ;;
    permissions) words='--mode
--cwd
--json
--help
-h
test'; ;;
    sandbox) words='--read
--json
--help
-h
test'; ;;
    container) words='--json
--help
-h
list
template
end'; ;;
    kubernetes) words='--json
--help
-h
jobs
template
remove'; ;;
    prompts) words='--help
-h'; ;;
    completion) words='--help
-h
bash
zsh
fish'; ;;
  esac
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _zotui zotui
