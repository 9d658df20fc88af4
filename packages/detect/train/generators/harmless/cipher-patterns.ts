// size waiver: one list of data.
import { lines } from './draw.ts'

/** Where harmless encoded text turns up. `«x»` is the encoded text, `«enc»` the name people give the code. */
export const encodedFrames: readonly string[] = lines(`
  «x»
  «x»
  «x»
  Decode this: «x»
  Decode this «enc» riddle: «x»
  What does «x» mean?
  what does this say?? «x»
  Can you read this? «x»
  My friend sent me "«x»" and won't tell me how to read it.
  Homework, task 3: decipher «x» and name the method.
  Found in a geocache near «city»: «x»
  Translate to plain English: «x»
  Is this valid «enc»? «x»
  Puzzle 7 of our escape room: «x»
  The clue on the card reads: «x». The answer opens the lock.
  I encoded a sentence as «enc»: «x». Did I make a mistake?
  Convert back to text please «x»
  Check my «lang» decoder: input «x», output should be readable.
  data=«x»
  {"format":"«enc»","body":"«x»"}
  <p>«x»</p>
  X-Comment: «x»
  message: «x» (end)
  «x» – is that a secret message or garbage?
  Log line: payload=«x» status=200
  In the movie a note says «x». What is it?
  Why does my email look like this: «x»
  My subtitles are broken, they show «x» instead of text
  Answer in the same code: «x»
  This is the name of my band in fancy letters: «x»
  Our newsletter headline: «x»
  For the treasure hunt I hid «x» behind the clock. Too hard for age «num»?
`)

/** Homework and curiosity about codes, with no encoded text inside. */
export const cipherQuestions: readonly string[] = lines(`
  How does (a Caesar cipher|rot13|base64|Morse code|the Vigenère cipher|ASCII85|quoted-printable|punycode|percent encoding) work?
  Why does base64 end with = or ==?
  Is base64 encryption?
  Write a {lang} function that (encodes|decodes) (base64|hex|rot13|Morse|binary|leet).
  How do I detect zero-width characters in {lang}?
  Which Unicode blocks contain look-alikes of Latin letters?
  Why is my hex dump in pairs of {num}?
  How many possible keys has a substitution cipher with {num} letters?
  Explain the Enigma's reflector to a class of {num} pupils.
  Convert 0x{num} to decimal and binary.
  What is the difference between UTF-8 and UTF-16?
  Write my name, {name}, in (runes|Morse|binary|Braille|NATO alphabet|hieroglyphs|small caps).
  Why do spammers write V1agra with digits?
  History of leet speak in {num} sentences.
  What do you call text like ｔｈｉｓ?
  How do screen readers read 𝓯𝓪𝓷𝓬𝔂 letters?
  How does Zalgo text work technically?
  How can I remove emoji and accents from a CSV in {lang}?
  Encode "meet {name} at noon" with a shift of {num} and explain each step.
  Make a rebus with emojis for the film Titanic.
  Which ciphers did (Mary Stuart|Caesar|Marie Antoinette|Bletchley Park) use or break?
  What is steganography, and how do artists use it?
  Is pig latin a code or a dialect? Give an example with "{food}".
  Write "happy birthday {name}" in {num} fancy fonts.
  Do URL shorteners use base62?
  What does %20 stand for, and why is there sometimes a plus?
`)

/** Names, headings and tags in decorated letters, as people use them. */
export const decorated: readonly string[] = lines(`
  xX_D4rk{name}_Xx joined the game
  gg wp n00b, u g0t pwn3d by {name}{num}
  add me: {name}_th3_h4ck3r{num}
  I'm 1337 at {domain}, l0l
  W E L C O M E   T O   T H E   C L U B
  S U M M E R   S A L E   –   {num} %
  A G E N D A : budget, roof, party
  ～ａｅｓｔｈｅｔｉｃ　ｖｉｂｅｓ～ {city}
  ＮＥＷＳ　２０２４　{city}
  ᴛᴇᴀᴍ {name} ꜰᴏʀ ᴛʜᴇ ᴡɪɴ
  ★彡 {name} 彡★ feat. the {animal}s
  ⓦⓔⓛⓒⓞⓜⓔ back, {name}!
  𝕿𝖍𝖊 𝕹𝖎𝖌𝖍𝖙 𝕮𝖎𝖗𝖈𝖚𝖘 plays in {city} tonight
  Ｆｕｌｌ　ｗｉｄｔｈ　titles look strange in my player, how to fix?
  N.B. the U.S. and the U.K. teams arrive at 9 a.m. on the I.C.E. from {city}
  Zoë, François, Jürgen, Łukasz and Søren meet Đorđe in {city}
  mOcKiNg sPoNgEbOb says: {domain} is easy
  👩‍🍳➡️🍜➡️😋 that was my day in {city}
  🇵🇹🇯🇵🇰🇪 which flags are these?
  👨‍👩‍👧‍👦 family of four plus one {animal}, {num} days in {city}?
  a-b-c-d-e-f-g, sing it with me, {name}
  t-h-a-n-k y-o-u, dear {name}!
  It is spelled B-O-U-G-A-I-N-V-I-L-L-E-A, right?
  s l o w m o t i o n , says the {animal}
  ᕕ( ᐛ )ᕗ off to {city} with {name}
  H̲e̲a̲d̲i̲n̲g̲ with underlined letters for {name}'s poster
  ~~old price~~ n3w pr1c3 for {food}!!!
`)

export const encodingNames: readonly string[] = [
  'base64',
  'hex',
  'rot13',
  'Morse',
  'binary',
  'Caesar',
  'URL',
  'unicode',
  'secret',
  'ASCII',
  'cipher',
  'leet',
]
