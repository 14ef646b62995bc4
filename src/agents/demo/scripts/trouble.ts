/** Scripts in which something goes wrong, or does not end. */
import type { Script } from '../script/script.ts'

const overloaded = 'demo: http 529: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
const refusedKey =
  'demo: http 401: {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'

export const failing: Script = {
  name: 'fail',
  words: ['error', 'overloaded', '529'],
  about: 'the provider is overloaded (http 529)',
  calls: [{ refused: overloaded }],
}

export const refused: Script = {
  name: 'refused',
  words: ['401', 'key', 'login'],
  about: 'the provider refuses the key (http 401)',
  calls: [{ refused: refusedKey }],
}

export const retry: Script = {
  name: 'retry',
  words: ['again', 'recover'],
  about: 'an answer breaks off, and the agent tries again on its own',
  calls: [
    {
      writes: ['This answer breaks off in the mid'],
      breaks: { error: 'demo overloaded_error: Overloaded', retry: 2_000 },
    },
    ['Here it is again, whole this time: the broken try was taken back and is not remembered.'],
  ],
}

export const slow: Script = {
  name: 'slow',
  words: ['stop', 'abort', 'esc'],
  about: 'an answer that takes a minute: try Esc',
  calls: [
    {
      wait: 1_000,
      writes: [
        'I am taking my time. Press **Esc** to stop me; what I have said so far stays.\n\nLet me think',
        { hold: 20_000 },
        ' ... still thinking',
        { hold: 20_000 },
        ' ... nearly there',
        { hold: 20_000 },
        ' ... done. You are patient.',
      ],
    },
  ],
}

export const deaf: Script = {
  name: 'deaf',
  words: ['hang', 'stuck', 'kill'],
  about: 'does not stop when asked to: try Esc, and wait for the offer to kill',
  ignoresAbort: true,
  calls: [
    [
      'I do not hear **Esc**. Ask me to stop, and after ten seconds zotui offers to kill me and start me again.',
      { hold: Infinity },
    ],
  ],
}

export const crash: Script = {
  name: 'crash',
  words: ['die', 'exit', 'panic'],
  about: 'the agent ends in the middle of a sentence, with code 3',
  calls: [
    [
      'I will be gone before this sentence',
      { pause: 500 },
      { crash: { code: 3, lastWord: 'zot: demo crashed, as it was asked to' } },
    ],
  ],
}

export const cut: Script = {
  name: 'length',
  words: ['cut', 'limit', 'truncated'],
  about: 'an answer that is cut at its longest length',
  calls: [
    {
      writes: ['There are three things to know about limits. First, they are there. Second, they are never where'],
      length: true,
    },
  ],
}

export const rubbish: Script = {
  name: 'rubbish',
  words: ['invalid'],
  about: 'the model asks for a tool in broken JSON, and for one that does not exist',
  calls: [
    [
      'Two calls that cannot work:',
      {
        tool: {
          name: 'bash',
          args: {},
          argsText: '{"command": "echo hel',
          result: { text: 'invalid args: unexpected end of JSON input', failed: true, after: 5 },
        },
      },
      { tool: { name: 'nope', args: {}, result: { text: 'unknown tool "nope"', failed: true, after: 5 } } },
    ],
    ['Neither did. A real model reads the complaint and tries again.'],
  ],
}
