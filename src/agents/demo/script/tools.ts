/** Short ways to write tool uses into a script. */
import type { ScriptedRun, ToolUse } from './script.ts'
import { contextDiff, type ScriptedEdit } from './tool-text.ts'

/** Makes a command. `output` lists pieces, each with the milliseconds before it. */
export function bash(command: string, output: readonly (readonly [number, string])[], exit = 0): ToolUse {
  const runs = output.map(([after, progress]): ScriptedRun => ({ after, progress }))
  return { name: 'bash', args: { command }, runs, result: { exit } }
}

export function read(path: string, text: string): ToolUse {
  return { name: 'read', args: { path }, result: { text, after: 250 } }
}

/** Makes a write. It returns the whole content, as zot's does. */
export function write(path: string, content: string): ToolUse {
  return { name: 'write', args: { path, content }, result: { text: content, after: 200 } }
}

/** Makes an edit. It returns the diff that the edits make in `before`. */
export function edit(path: string, before: string, edits: readonly ScriptedEdit[]): ToolUse {
  return { name: 'edit', args: { path, edits }, result: { text: contextDiff(before, edits), after: 250 } }
}

export function glob(pattern: string, paths: readonly string[]): ToolUse {
  return { name: 'glob', args: { pattern }, result: { text: paths.join('\n'), after: 180 } }
}

export function skill(name: string, text: string): ToolUse {
  return { name: 'skill', args: { name }, result: { text: `# Skill: ${name}\n\n${text}`, after: 150 } }
}
