/** Sessions whose every text tries to become part of what it is exported to. */
import { transcriptOf } from '../../src/export/transcript.ts'
import type { Transcript } from '../../src/export/schema.ts'
import {
  accepted,
  answered,
  answering,
  call,
  chatAfter,
  ended,
  fails,
  notes,
  prompt,
  returns,
  stops,
} from '../conversation/events.ts'

/** A session in which every text is this one. */
export function sessionOf(text: string): Transcript {
  const chat = chatAfter(
    prompt(text),
    accepted,
    answering,
    answered(
      { type: 'text', text },
      call('c1', text, { [text]: text }),
      call('c2', 'bash', { command: text }),
      call('c3', 'write', { path: text, content: text }),
      call('c4', 'edit', { path: text }),
    ),
    stops('tool_use'),
    returns('c1', text),
    returns('c2', text, true),
    returns('c3', text),
    returns('c4', `-${text.replaceAll('\n', ' ')}\n+${text.replaceAll('\n', ' ')}`),
    notes(text, text),
    fails(text),
    ended,
    { type: 'compaction_started' },
    { type: 'compaction_finished', summary: text },
    { type: 'agent_ended', code: 1, signal: null, reason: text, hint: text, expected: false },
  )
  return transcriptOf(chat, { id: text, title: text, folder: `/${text.replaceAll('/', '')}` })
}

export const attacks = [
  '<script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</code></pre><img src=x onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)`,
  '" style="x" onclick="alert(1)',
  '<!-- ',
  '<![CDATA[',
  '[x](javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](file:///etc/passwd)',
  '[x](https://example.com/"onclick="alert(1))',
  '![x](https://example.com/beacon.png)',
  '<https://example.com/"><script>alert(1)</script>>',
  '| <b onclick=x> |\n| --- |\n| <img src=x> |',
  '```"><script>\n<script>alert(1)</script>\n```',
  '<svg/onload=alert(1)>',
  '&lt;script&gt;',
  '<base href="//example.com">\n<meta http-equiv=refresh content=0>',
]
