/**
 * Patches packages as they are bundled, mostly to remove work at their start that zotui does not need. Each patch names
 * the text that it changes, so that a new version without that text fails the build instead of slowing the start.
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
    // A client needs neither the server nor the load balancers, which are a third of the package.
    name: 'grpc-client-only',
    files: /grpc-js\/build\/src\/index\.js$/,
    from: /require\("\.\/(?:server|server-credentials|server-interceptors|orca|admin|experimental|load-balancer-(?:outlier-detection|weighted-round-robin))"\)/g,
    to: '({ setup() {} })',
  },
  {
    // Only a server that reports its own connections needs it.
    name: 'grpc-without-proto-loader',
    files: /grpc-js\/build\/src\/channelz\.js$/,
    from: /require\('@grpc\/proto-loader'\)/,
    to: '({})',
  },
  {
    // It is off (`grpc.enable_channelz`), so nothing is ever put into these.
    name: 'grpc-without-ordered-map',
    files: /grpc-js\/build\/src\/channelz\.js$/,
    from: /require\("@js-sdsl\/ordered-map"\)/,
    to: '({ OrderedMap: class { eraseElementByKey() {} } })',
  },
  {
    // roz sends milliseconds and seconds, which fit into a number.
    name: 'protobuf-without-long',
    files: /protobufjs\/src\/util\/minimal\.js$/,
    from: /require\("long"\)/,
    to: 'null',
  },
  {
    // DEV=true, usual in the environment of web projects, would print errors and open a socket for the React devtools.
    name: 'ink-without-devtools',
    files: /ink\/build\/(?:ink|reconciler)\.js$/,
    from: /process\.env\['DEV'\] === 'true'/g,
    to: 'false',
  },
  {
    // Yoga carries its WASM as a data URL; without `fetch` it decodes it at once instead of loading Node's fetch stack.
    name: 'yoga-without-fetch',
    files: /yoga-wasm-base64-esm\.js$/,
    from: /^/,
    to: 'const fetch = undefined;\n',
  },
  {
    // It decodes its WASM in a loop so long that V8 loads its optimizing compiler for it, which takes 5 MB of memory.
    name: 'yoga-decoded-at-once',
    files: /yoga-wasm-base64-esm\.js$/,
    from: /var b=xa\(a\.slice\(37\)\),c=new Uint8Array\(b\.length\);for\(a=0;a<b\.length;\+\+a\)c\[a\]=b\.charCodeAt\(a\);var d=c/,
    to: 'var d=Buffer.from(a.slice(37),"base64")',
  },
  {
    // It only checks that its argument is a function, but loads Node's deep comparison.
    name: 'signal-exit-without-assert',
    files: /signal-exit\/index\.js$/,
    from: /require\('assert'\)/,
    to: '{ equal() {} }',
  },
  {
    // It would create the stream of standard input, which takes as long as starting a process.
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
    // The same where it only asks whether a stream is a standard stream.
    name: 'execa-directions-of-streams-only',
    files: /execa\/lib\/stdio\/direction\.js$/,
    from: /^const getStandardStreamDirection = value => \{$/m,
    to: "$&\n\tif (typeof value === 'string') return undefined;",
  },
  {
    // meow normalizes package.json with tables of licences, for an option that zotui does not use.
    name: 'meow-without-licences',
    files: /meow\/build\/dependencies\.js$/,
    from: /^var normalizeExports = requireNormalize\(\);$/m,
    to: 'var normalizeExports = () => {};',
  },
  {
    // marked compiles a hundred regular expressions as it loads, which takes longer than drawing the first frame.
    name: 'markdown-rules-when-needed',
    files: /marked\/lib\/marked\.esm\.js$/,
    from: /getRegex:\(\)=>new RegExp\((\w+),(\w+)\)/,
    to: `getRegex:()=>(${lazyExpression})($1,$2)`,
  },
  {
    // The first segmenter reads tables for ten milliseconds; most starts need none.
    name: 'segmenters-when-needed',
    files:
      /(?:string-width\/index|wrap-ansi\/index|slice-ansi\/tokenize-ansi|ansi-tokenize\/build\/tokenize|ink\/build\/line-update)\.js$/,
    from: /^const (\w+) = (new Intl\.Segmenter\([^)]*\));$/m,
    to: 'let $1Made; const $1 = { segment: text => ($1Made ??= $2).segment(text) };',
  },
  {
    name: 'expressions-when-needed',
    files: /string-width\/index\.js$/,
    from: /^(?=\/\*\*$)/m,
    to: `const lazyExpression = (source, flags) => {
  let read;
  const expression = () => (read ??= new RegExp(source, flags));
  return {
    test: text => expression().test(text),
    [Symbol.match]: text => expression()[Symbol.match](text),
    [Symbol.search]: text => expression()[Symbol.search](text),
  };
};\n`,
  },
  {
    // V8 checks an expression where it reads it, and makes it where it is run: 19 and 6 ms for all emoji. All of them begin with one.
    name: 'emoji-when-needed',
    files: /string-width\/index\.js$/,
    from: /^const rgiEmojiRegex = \/(\S+)\/v;$/m,
    to: `const firstOfEmoji = lazyExpression('^\\\\p{Emoji}', 'u'), allEmoji = lazyExpression(String.raw\`$1\`, 'v');
const rgiEmojiRegex = { test: text => firstOfEmoji.test(text) && allEmoji.test(text) };`,
  },
  {
    // The first frame has no text for them: 3 ms.
    name: 'classes-of-characters-when-needed',
    files: /string-width\/index\.js$/,
    from: /^const (visibleCharacterRegex|spacingMarkRegex|extendedPictographicRegex) = \/(\S+)\/(\w+);$/gm,
    to: "const $1 = lazyExpression(String.raw`$2`, '$3');",
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
