/** The table of the demo's scripts. To add a script, write it under `scripts/` and add it here. */
import type { Script } from './script/script.ts'
import { agents } from './scripts/agents.ts'
import { beside } from './scripts/beside.ts'
import { commit, extensions, hooks, vim } from './scripts/extras.ts'
import { find } from './scripts/find.ts'
import { fleet } from './scripts/fleet.ts'
import { long } from './scripts/long.ts'
import { markdown } from './scripts/markdown.ts'
import { carryingOut, contained, dangers, planning } from './scripts/permissions.ts'
import { phone } from './scripts/phone.ts'
import { review } from './scripts/review.ts'
import { steer } from './scripts/steer.ts'
import {
  answered,
  compacting,
  hostile,
  images,
  mentions,
  question,
  switching,
  thanks,
  unicode,
} from './scripts/texts.ts'
import { edits, nested, sleeping, steps, tools, writing } from './scripts/tooling.ts'
import { commented, reviewing } from './scripts/reviewing.ts'
import { tour } from './scripts/tour.ts'
import { crash, cut, deaf, failing, refused, retry, rubbish, slow } from './scripts/trouble.ts'

const rows: readonly Script[] = [
  tour,
  agents,
  beside,
  steer,
  find,
  phone,
  fleet,
  reviewing,
  markdown,
  long,
  tools,
  edits,
  writing,
  nested,
  steps,
  dangers,
  contained,
  planning,
  slow,
  sleeping,
  question,
  compacting,
  switching,
  images,
  mentions,
  review,
  commented,
  commit,
  hooks,
  vim,
  extensions,
  unicode,
  hostile,
  failing,
  refused,
  retry,
  cut,
  rubbish,
  crash,
  deaf,
  answered,
  carryingOut,
  thanks,
]

/** The script for `help`, and for a prompt without a known word. */
const help: Script = {
  name: 'help',
  words: ['hello', 'hi', 'hey', 'what', 'who', 'how'],
  about: 'this list',
  calls: [
    [
      {
        pace: 12,
        text: `I am the demo agent of zotui: no model is asked, nothing is read or changed, and my answers are scripted. I listen for a \
word in what you type. Start with \`tour\`, or try one of these:

${rows
  .filter(script => !script.unlisted)
  .map(script => `- \`${script.name}\`: ${script.about}`)
  .join('\n')}

**Esc** stops me, and \`/help\` lists the keys.`,
      },
    ],
  ],
}

/** Every script, in the order in which they are listed. */
export const demoScripts: readonly Script[] = [help, ...rows]

/** Finds the script whose word comes first in a prompt. An earlier conversation, the output of commands and mentioned files do not count. */
export function scriptFor(message: string, imageCount = 0): Script {
  const now = message.replace(/^<earlier-conversation>\n[^]*?\n<\/earlier-conversation>\n/, '')
  const own = now.replace(/^I ran this command myself;.*\n+(`{3,})console\n[^]*?\n\1\n/gm, '')
  const typed = own.replace(/^The (?:content|files) .*, which I mention:\n\n(`{3,})\n[^]*?\n\1\n/gm, '')
  const asked = typed
    .replace(/^<hook-context>\n[^]*?\n<\/hook-context>\n+/gm, '')
    .replace(/^<side-question>\n[^]*?\n<\/side-question>\n+/gm, '')
  const words = asked.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  // Words such as "how" ask for help only if no other word is known.
  // A phrase goes before each of its words alone.
  const isSaid = (phrase: string): boolean => phrase.includes(' ') && ` ${words.join(' ')} `.includes(` ${phrase} `)
  const said = rows.find(script => [script.name, ...script.words].some(isSaid))
  if (said) return said
  const named = words.map(word => rows.find(script => script.name === word || script.words.includes(word)))
  return named.find(script => script !== undefined) ?? (imageCount > 0 ? images : help)
}
