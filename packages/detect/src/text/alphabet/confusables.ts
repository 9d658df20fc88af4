/**
 * Letters of other scripts that look like Latin ones. Case matters: capital Eta is drawn as H, small eta as n. The
 * strings pair up position by position.
 */
const exact: readonly (readonly [from: string, to: string])[] = [
  // Cyrillic
  ['АВЕЅІЈКМНОРСТУХԚԜӀҮЗЬЁЇ', 'abesijkmhopctyxqwiy3bei'],
  ['авеѕіјкмнорстухԛԝӏүзԁһѵёїԍ', 'abesijkmhopctyxqwly3dhveig'],
  ['ҼҽѴѡԌ', 'eevwg'],
  // Greek
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abezhikmnoptyx'],
  ['αινορυχκτϲϳγ', 'aivopuxktcjy'],
  ['ϜͿϺϻ', 'fjmm'],
  // Armenian
  ['ՍՏՕԼոսօցհզյԱք', 'usolnuoghqjuf'],
  ['ռգաղ', 'nqwn'],
]

// Scripts hardly anybody types: there is no plain text of theirs to protect.
const rare: readonly (readonly [from: string, to: string])[] = [
  // Cherokee
  ['ᏳᏕꮯꭵꮁꮪꮩꮃꮓ', 'gscirsvwz'],
  ['ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏃᏎᏏᏒᏔᏚᏙᏞᏟᏢᏦᏧᏴᏂ', 'drtiyajewmhygz4brwsvlcpkdbh'],
  // Lisu
  ['ꓒ', 'd'],
  ['ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'bpdtgkjczfmnlsrvhwxyaeiou'],
  // Coptic
  ['ⲀⲂⲈⲌⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬ', 'abezhikmnopctyx'],
  ['ⲁⲃⲉⲍⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭ', 'abezhikmnopctyx'],
  ['Ⳑⲅ', 'lr'],
  // Canadian syllabics
  ['ᗅᗷᑕᗪᗴᖴᘜᕼᒍᒪᗰᑎᑭᖇᔕᑌᐯᗯ᙭ᓰᖻᘔ', 'abcdefghjlmnprsuvwxiyz'],
  ['ᑲᑯᖯᗞᕁᕽ', 'bdbdxx'],
  // Runes
  ['ᛕᛁᛖᚷ', 'kimx'],
  // Tifinagh
  ['ⴹⵏⵔⵕⴸⵝ', 'eloqvx'],
]

// Near enough beside Latin letters, too common in their own script to betray a word alone.
const near: readonly (readonly [from: string, to: string])[] = [
  ['гпьицшщлдёяг', 'rnbuuwwndeyr'],
  ['ғҕқҝҟҡӄҫҙєҿөѳүұҳӽӿґӷңӊӈҥ', 'fhkkkkkc3eeooyyxxxrrhhhh'],
  ['ГПЯИЙДЛЦ', 'rnrnnadu'],
  ['βεηικμσςτωθδλ', 'beniku' + 'ostwodl'],
  ['ΣΛΔΩΘ', 'eaaoo'],
  ['ζξπϖ', 'zenw'],
  // Georgian, Hebrew, Ethiopic
  ['ყჿסטוןዐሀ', 'yoovllou'],
  // Noughts
  ['०০੦૦୦௦౦೦൦๐໐၀', 'oooooooooooo'],
]

const byCode: ReadonlyMap<number, number> = pairs([...near, ...exact, ...rare])
const exactCodes: ReadonlyMap<number, number> = pairs([...exact, ...rare])
const rareCodes: ReadonlyMap<number, number> = pairs(rare)

/** Code unit of the Latin letter that this character looks like in its own case, or 0. */
export function latinLookalike(code: number): number {
  return code < 0x370 ? 0 : (byCode.get(code) ?? 0)
}

/** Whether the resemblance is complete, so that a whole word of such letters passes for Latin. */
export function isExactLookalike(code: number): boolean {
  return exactCodes.has(code)
}

/** Whether the letter belongs to a script that is hardly met outside of disguises. */
export function isRareLookalike(code: number): boolean {
  return rareCodes.has(code)
}

function pairs(table: readonly (readonly [string, string])[]): Map<number, number> {
  const map = new Map<number, number>()
  for (const [from, to] of table) {
    for (let i = 0; i < from.length; i += 1) map.set(from.charCodeAt(i), to.charCodeAt(i))
  }
  return map
}
