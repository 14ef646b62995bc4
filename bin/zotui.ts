#!/usr/bin/env node
// This file runs on any Node, to say which one is needed. So it imports nothing by name that an old Node may lack.
import process from 'node:process'
import { useLessMemory } from './boot/memory-flags.ts'

/** The file in which `bin/dispatch.ts` is. */
declare const ZOTUI_DISPATCH: string
/** The names of the subcommands. */
declare const ZOTUI_COMMANDS: readonly string[]

const NEEDED = 22
/** The flags of a program that ends soon. */
const WITHOUT_UI = new Set(['-p', '--print', '-v', '--version', '-h', '--help'])

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(`zotui needs Node ${NEEDED} or newer; this is Node ${process.versions.node}.\n`)
  process.exit(1)
}
// With an empty HOME Node would use the current folder. Without the variable it asks the system.
if (process.env['HOME'] === '') delete process.env['HOME']
// Node would open a debugger, through which a command of the agent could do all that this program can.
process.on('SIGUSR1', () => undefined)
const argv = process.argv.slice(2)
const [first = ''] = argv
const isBackground = first === 'hold-conversation'
const isCommand = ZOTUI_COMMANDS.includes(first)
const short = argv.find(word => WITHOUT_UI.has(word))
// Only the UI runs for long. This comes first, since finding the cache folder already starts the optimizing compiler.
if (!isBackground && !isCommand && short === undefined) useLessMemory()
// Each kind of start runs other functions of the same files, and V8 refuses code of other flags.
const kind = isBackground ? 'held' : isCommand ? 'command' : short ? short.replace(/-/g, '').charAt(0) : 'ui'
void import('./boot/cached-start.ts').then(({ start }) => start(ZOTUI_DISPATCH, argv, kind))
