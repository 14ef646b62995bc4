/**
 * Patches packages as they are bundled. A patch stays if it changes behaviour, or if it saves 2 ms or 1 MB: the figure beside it is what
 * its absence costs alone (docs/performance.md, "Start-up", says how that was measured). Each names the text that it changes, so that a
 * new version without that text fails the build instead of slowing the start.
 */
import type { Plugin } from 'rolldown'

type Patch = {
  name: string
  /** The files to patch. */
  files: RegExp
  from: RegExp
  to: string
}

/** A regular expression that is compiled at its first use. */
const lazyExpression = `(source, flags) => {
  let read;
  const expression = () => (read ??= new RegExp(source, flags));
  return {
    source,
    get lastIndex() { return expression().lastIndex; },
    set lastIndex(index) { expression().lastIndex = index; },
    exec: text => expression().exec(text),
    test: text => expression().test(text),
    [Symbol.match]: text => expression()[Symbol.match](text),
    [Symbol.matchAll]: text => expression()[Symbol.matchAll](text),
    [Symbol.replace]: (text, by) => expression()[Symbol.replace](text, by),
    [Symbol.search]: text => expression()[Symbol.search](text),
    [Symbol.split]: (text, limit) => expression()[Symbol.split](text, limit),
  };
}`

const patches: readonly Patch[] = [
  {
    // A client needs neither the server nor the load balancers: 7 ms and 1.4 MB with roz, and 130 kB of the package.
    name: 'grpc-client-only',
    files: /grpc-js\/build\/src\/index\.js$/,
    from: /require\("\.\/(?:server|server-credentials|server-interceptors|orca|admin|experimental|load-balancer-(?:outlier-detection|weighted-round-robin))"\)/g,
    to: '({ setup() {} })',
  },
  {
    // Behaviour: long integers are numbers. roz sends milliseconds and seconds, which fit into one.
    name: 'protobuf-without-long',
    files: /protobufjs\/src\/util\/minimal\.js$/,
    from: /require\("long"\)/,
    to: 'null',
  },
  {
    // Behaviour: DEV=true, usual in the environment of web projects, would print errors and open a socket for the React devtools.
    name: 'ink-without-devtools',
    files: /ink\/build\/(?:ink|reconciler)\.js$/,
    from: /process\.env\['DEV'\] === 'true'/g,
    to: 'false',
  },
  {
    // Yoga carries its WASM as a data URL; without `fetch` it decodes it at once instead of loading Node's fetch
    // stack: 70 ms and 8 MB, behind the first frame.
    name: 'yoga-without-fetch',
    files: /yoga-wasm-base64-esm\.js$/,
    from: /^/,
    to: 'const fetch = undefined;\n',
  },
  {
    // It decodes its WASM character by character: 17 ms, behind the first frame.
    name: 'yoga-decoded-at-once',
    files: /yoga-wasm-base64-esm\.js$/,
    from: /var b=xa\(a\.slice\(37\)\),c=new Uint8Array\(b\.length\);for\(a=0;a<b\.length;\+\+a\)c\[a\]=b\.charCodeAt\(a\);var d=c/,
    to: 'var d=Buffer.from(a.slice(37),"base64")',
  },
  {
    // It would create the stream of standard input, which takes as long as starting a process: 7 ms of `-p` with a file as its input.
    name: 'execa-standard-streams-when-needed',
    files: /execa\/lib\/utils\/standard-stream\.js$/,
    from: /^export const isStandardStream = stream => STANDARD_STREAMS\.includes\(stream\);\nexport const STANDARD_STREAMS = (\[.*\]);$/m,
    to: `export const isStandardStream = stream => STANDARD_STREAMS.indexOf(stream) >= 0;
export const STANDARD_STREAMS = {
  indexOf: stream => (stream?.fd < 3 ? $1.indexOf(stream) : -1),
  get 0() { return process.stdin },
  get 1() { return process.stdout },
  get 2() { return process.stderr },
};`,
  },
  {
    // Another place that would create it, to ask whether a stream is a standard stream. Both patches are needed for that.
    name: 'execa-directions-of-streams-only',
    files: /execa\/lib\/stdio\/direction\.js$/,
    from: /^const getStandardStreamDirection = value => \{$/m,
    to: "$&\n\tif (typeof value === 'string') return undefined;",
  },
  {
    // meow normalizes package.json with tables of licences, for an option that zotui does not use: 16 ms and 5.4 MB in a command with flags.
    name: 'meow-without-licences',
    files: /meow\/build\/dependencies\.js$/,
    from: /^var normalizeExports = requireNormalize\(\);$/m,
    to: 'var normalizeExports = () => {};',
  },
  {
    // marked compiles a hundred regular expressions as it loads: 9 ms, behind the first frame.
    name: 'markdown-rules-when-needed',
    files: /marked\/lib\/marked\.esm\.js$/,
    from: /getRegex:\(\)=>new RegExp\((\w+),(\w+)\)/,
    to: `getRegex:()=>(${lazyExpression})($1,$2)`,
  },
  {
    // The first segmenter reads tables, and most starts need none: 9 ms before the first frame.
    name: 'segmenters-when-needed',
    files:
      /(?:string-width\/index|wrap-ansi\/index|slice-ansi\/tokenize-ansi|ansi-tokenize\/build\/tokenize|ink\/build\/line-update)\.js$/,
    from: /^const (\w+) = (new Intl\.Segmenter\([^)]*\));$/m,
    to: 'let $1Made; const $1 = { segment: text => ($1Made ??= $2).segment(text) };',
  },
  {
    // V8 checks an expression where it reads it: 16 ms before the first frame for all emoji. All of them begin with one.
    name: 'emoji-when-needed',
    files: /string-width\/index\.js$/,
    from: /^const rgiEmojiRegex = \/(\S+)\/v;$/m,
    to: `const firstOfEmoji = /^\\p{Emoji}/u;
let allEmoji;
const rgiEmojiRegex = { test: text => firstOfEmoji.test(text) && (allEmoji ??= new RegExp(String.raw\`$1\`, 'v')).test(text) };`,
  },
]

/** The plugins of the build. */
export const plugins: readonly Plugin[] = patches.map(pluginOf)

function pluginOf({ name, files, from, to }: Patch): Plugin {
  return {
    name,
    transform: {
      filter: { id: files },
      handler(code, id) {
        if (!from.test(code)) throw new Error(`${name}: ${id} does not contain the text to patch`)
        return { code: code.replace(from, to), map: null }
      },
    },
  }
}
