/** The named characters that models write. Others stay as they are. */
const named: ReadonlyMap<string, string> = new Map(
  (
    'amp & lt < gt > quot " apos \' copy © reg ® trade ™ hellip … mdash — ndash – bull • middot · sect § para ¶ deg ° ' +
    'plusmn ± times × divide ÷ minus − le ≤ ge ≥ ne ≠ asymp ≈ infin ∞ sum ∑ radic √ larr ← uarr ↑ rarr → darr ↓ harr ↔ ' +
    'rArr ⇒ lArr ⇐ hArr ⇔ laquo « raquo » lsquo ‘ rsquo ’ ldquo “ rdquo ” euro € pound £ yen ¥ cent ¢ micro µ ' +
    'alpha α beta β gamma γ delta δ epsilon ε lambda λ mu μ pi π sigma σ tau τ phi φ omega ω Delta Δ Sigma Σ Omega Ω ' +
    'auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß eacute é egrave è agrave à ccedil ç ntilde ñ check ✓ cross ✗ star ☆'
  )
    .split(' ')
    .flatMap((word, index, words) => (index % 2 === 0 ? [[word, words[index + 1] ?? ''] as const] : [])),
)

/** Replaces character references by their characters. The result is not sanitised. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name === 'nbsp') return '\u00a0'
    if (typeof name === 'string') return named.get(name) ?? whole
    const code = typeof decimal === 'string' ? Number.parseInt(decimal, 10) : Number.parseInt(String(hex), 16)
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
  })
}
