/** What a browser calls itself, in a few words: `Chrome on Android`. It may say anything, so it is only for the person to read. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?(?:iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
/** Characters that are looked at. */
const LONGEST = 400

export function browserName(userAgent: string): string {
  const text = userAgent.slice(0, LONGEST)
  const [browser, system] = [browsers, systems].map(table => table.find(([pattern]) => pattern.test(text))?.[1])
  return [browser ?? 'a browser', ...(system === undefined ? [] : ['on', system])].join(' ')
}
