/** The table of scenarios. */
import type { Figure } from './figures.ts'
import { board } from './scenarios/board.ts'
import { box } from './scenarios/box.ts'
import { burst, deltas1000, stream } from './scenarios/answers.ts'
import { checkpoint } from './scenarios/checkpoint.ts'
import { commands } from './scenarios/commands.ts'
import { conversations } from './scenarios/conversations.ts'
import { diff } from './scenarios/diff.ts'
import { files } from './scenarios/files.ts'
import { find } from './scenarios/find.ts'
import { flood } from './scenarios/flood.ts'
import { guard } from './scenarios/guard.ts'
import { hostile } from './scenarios/hostile.ts'
import { long } from './scenarios/long.ts'
import { million } from './scenarios/million.ts'
import { idle, typing } from './scenarios/quiet.ts'
import { acp, meerkat, subagents } from './scenarios/other-agents.ts'
import { resize } from './scenarios/resize.ts'
import { resume } from './scenarios/resume.ts'
import { serve } from './scenarios/serve.ts'
import { start } from './scenarios/start.ts'
import { stop } from './scenarios/stop.ts'
import { tree } from './scenarios/tree.ts'
import { viewer } from './scenarios/viewer.ts'
import type { Stage } from './stage.ts'

export type Scenario = {
  name: string
  about: string
  run: (stage: Stage) => Promise<Figure[]>
}

export const scenarios: readonly Scenario[] = [
  { name: 'start', about: 'spawn to the first prompt; floor: node -e that writes one byte', run: start },
  { name: 'commands', about: 'commands that end at once; floor: node -e that writes one byte', run: commands },
  { name: 'stream', about: '2,000 deltas at 200/s; floor: a program that only writes the text', run: stream },
  {
    name: 'acp',
    about: 'the same over ACP, without and with long lists of commands; floor: the same over zot',
    run: acp,
  },
  { name: 'meerkat', about: 'the same over the protocol of Meerkat; floor: the same over zot', run: meerkat },
  { name: 'subagents', about: 'the same over ACP with 20 subagents beside it; floor: without them', run: subagents },
  { name: 'stop', about: 'Esc while an answer comes in; floor: a program that only writes back each key', run: stop },
  { name: 'burst', about: 'the same as fast as it comes; floor: as above', run: burst },
  { name: 'deltas1000', about: '1,000 deltas/s; floor: as above', run: deltas1000 },
  { name: 'flood', about: '30,000 tool_progress/s; floor of events: what was to be sent', run: flood },
  { name: 'idle', about: 'nothing happens', run: idle },
  { name: 'tree', about: 'all processes at the prompt but zot; floor: node -e alone', run: tree },
  { name: 'typing', about: '200 keys while idle', run: typing },
  { name: 'files', about: 'an @ in 100,000 files: the first files, and a certain one', run: files },
  { name: 'diff', about: '/diff of 500 files and 100,000 lines; floor: of 10 files', run: diff },
  { name: 'checkpoint', about: '20,000 files are kept; floor: git ls-files -m -d -o', run: checkpoint },
  { name: 'long', about: '50 turns of 400 deltas: the last 5; floor: the first 5', run: long },
  {
    name: 'resume',
    about: 'a session of 5,000 entries; floor: a Node that reads its file; and lists of 10,000',
    run: resume,
  },
  { name: 'board', about: '500 conversations on 50 hosts: their list, and answers to them', run: board },
  { name: 'find', about: 'the search in 64 MB of sessions, with --full in 2 GB: building, and each key', run: find },
  { name: 'serve', about: 'five devices look at a full stream; floor: without a server', run: serve },
  { name: 'viewer', about: 'reading 100,000 lines while the agent works; floor: reading 3,000', run: viewer },
  { name: 'million', about: 'a session of 100,000 events, with --full of 1,000,000; floor: a new one', run: million },
  { name: 'hostile', about: 'an agent with unexpected output: the slowest key', run: hostile },
  {
    name: 'guard',
    about: 'calls that are asked about and allowed at once; floor: the same zot without a guard',
    run: guard,
  },
  {
    name: 'box',
    about: 'a command in the boxes for reading and writing; floor: the same command without them',
    run: box,
  },
  {
    name: 'conversations',
    about: '20 answers at once, one of which is shown; floor: that one alone',
    run: conversations,
  },
  { name: 'resize', about: 'a drag in 40 steps while 1,000 deltas come', run: resize },
]
