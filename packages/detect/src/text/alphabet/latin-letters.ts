/**
 * Latin letters that canonical decomposition leaves alone (strokes, hooks, small capitals, letters of phonetic
 * alphabets), each with the plain letter it is read as. Listed from the character names of the Unicode Character
 * Database 15.0 (Unicode-3.0 licence).
 */
const variants: Readonly<Record<string, string>> = {
  a: 'ɑᴀᶏⱥ',
  b: 'ƀɓʙᴃᵬᶀꞗ',
  c: 'ƈȼɕᴄꞓꞔ',
  d: 'ðđƌȡɖɗᴅᵭᶁᶑꝺꟈ',
  e: 'ɇɛᴇᶒⱸꬲꬳꬴ',
  f: 'ƒᵮᶂꜰꝼꞙ',
  g: 'ǥɠɡɢʛᵹᶃꞡꬶ',
  h: 'ħɦʜⱨꞕ',
  i: 'ıɨɩɪᶖ',
  j: 'ȷɉʄʝᴊ',
  k: 'ĸƙᴋᶄⱪꝁꝃꝅꞣ',
  l: 'łƚȴɫɬɭʟᴌᶅⱡꝉꞎꬷꬸꬹ',
  m: 'ɱᴍᵯᶆꬺ',
  n: 'ŋƞȵɲɳɴᵰᶇꞑꞥꬻ',
  o: 'øɵᴏⱺꝋꝍꬽꬾ',
  p: 'ƥᴘᵱᵽᶈꝑꝓꝕ',
  q: 'ɋʠꝗꝙꞯ',
  r: 'ɍɼɽɾʀᵲᵳᶉꞃꞧꭆꭉꭋꭌ',
  s: 'ȿʂᵴᶊẜẝꜱꞅꞩꟊ',
  t: 'ŧƫƭȶʈᴛᵵⱦꞇ',
  u: 'ᴜᶙꞹꭎꭒ',
  v: 'ʋᴠᶌⱱⱴꝟ',
  w: 'ᴡⱳ',
  x: 'ᶍꭖꭗꭘꭙ',
  y: 'ƴɏʏỿꭚ',
  z: 'ƶȥɀʐʑᴢᵶᶎⱬ',
  ss: 'ß',
  ae: 'æᴁ',
  oe: 'œɶ',
  th: 'þ',
  dz: 'ʣ',
  ts: 'ʦ',
  tc: 'ʨ',
  hv: 'ƕ',
  oi: 'ƣ',
  ou: 'ȣ',
}

const byCode: ReadonlyMap<number, string> = new Map(
  Object.entries(variants).flatMap(([plain, letters]) =>
    [...letters].map((letter): [number, string] => [letter.charCodeAt(0), plain]),
  ),
)

/** Plain letters a lower-case Latin code unit is read as, or undefined when it is none of the listed letters. */
export function plainLatin(code: number): string | undefined {
  return byCode.get(code)
}
