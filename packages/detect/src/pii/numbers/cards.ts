/** Payment card numbers: issuer range, length, Luhn check digit (ISO/IEC 7812). */
import { isOneDigit, luhnHolds } from '../base/check-digits.ts'
import type { Identifier } from '../base/identifier.ts'

// Ranges and lengths as the networks publish them.
const brands: readonly { brand: string; prefix: RegExp; lengths: readonly number[] }[] = [
  { brand: 'visa', prefix: /^4/, lengths: [13, 16, 19] },
  { brand: 'mastercard', prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { brand: 'amex', prefix: /^3[47]/, lengths: [15] },
  { brand: 'discover', prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { brand: 'diners', prefix: /^(?:30[0-5]|3095|36|38|39)/, lengths: [14, 16, 19] },
  { brand: 'jcb', prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 19] },
  { brand: 'unionpay', prefix: /^(?:62|81)/, lengths: [16, 17, 18, 19] },
  {
    brand: 'maestro',
    prefix: /^(?:5018|5020|5038|5[6-8]|6304|6759|676[1-3]|6390)/,
    lengths: [13, 14, 15, 16, 17, 18, 19],
  },
  { brand: 'mir', prefix: /^220[0-4]/, lengths: [16, 17, 18, 19] },
  { brand: 'rupay', prefix: /^(?:60|65|81|82|508|353|356)/, lengths: [16] },
  { brand: 'troy', prefix: /^9792/, lengths: [16] },
  { brand: 'elo', prefix: /^(?:4011|438935|45141[6-9]|504175|5067|509\d|6277|636368|650[0-9])/, lengths: [16] },
]

const printed = [
  ...['0000 0000 0000 0000', '0000-0000-0000-0000', '0000.0000.0000.0000', '0000 000000 00000', '0000-000000-00000'],
  ...['0000 000000 0000', '0000-000000-0000', '0000 0000 0000 0000 000', '0000-0000-0000-0000-000', '0000 0000 0000 0'],
  ...['00000000 00000000', '000000 0000000000000', '0000 0000 00000', '0000 0000 0000 00', '0000 0000 0000 000'],
]

// Pasted from a table or a list, where a column of other numbers can look like it.
const inRows = [...layoutsWith(['\t', '\n', '\r\n', ',', ', ']), ...wrapped(['\n', '\r\n'])]
// Invisible characters between the groups.
const unseen = layoutsWith(['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'])

/** Broken over two lines. */
function wrapped(ends: readonly string[]): string[] {
  const groups = ['0000', '0000', '0000', '0000']
  return ends.flatMap((end) =>
    [1, 2, 3].map((at) => `${groups.slice(0, at).join(' ')}${end}${groups.slice(at).join(' ')}`),
  )
}

function layoutsWith(separators: readonly string[]): string[] {
  return separators.flatMap((separator) =>
    ['0000 0000 0000 0000', '0000 000000 00000', '0000 000000 0000'].map((layout) => layout.replaceAll(' ', separator)),
  )
}

// As forms and paths write them, or with more than one blank.
const spaced = ['+', '/', '_', '  ', ' - ', ' / '].flatMap((separator) => layoutsWith([separator]))

const unbroken = [13, 14, 15, 16, 17, 18, 19].map((length) => '0'.repeat(length))

const isCard = (id: string): boolean =>
  !isOneDigit(id) &&
  brands.some(({ prefix, lengths }) => lengths.includes(id.length) && prefix.test(id)) &&
  luhnHolds(id)

const context = [
  ...['card', 'cards', 'card no', 'card number', 'credit card*', 'creditcard*', 'debit card*', 'cc', 'ccn', 'pan'],
  ...[
    'visa',
    'mastercard',
    'master card',
    'amex',
    'american express',
    'discover',
    'diners',
    'jcb',
    'maestro',
    'unionpay',
  ],
  ...['kreditkart*', 'karte*', 'kartennummer', 'carte bancaire', 'carte de crédit', 'carte bleue', 'carte', 'cb'],
  ...[
    'tarjeta*',
    'tarjeta de crédito',
    'cartão*',
    'cartão de crédito',
    'carta di credito',
    'carta',
    'creditcardnummer',
  ],
  ...[
    'kaart*',
    'kredytow*',
    'karty*',
    'karta*',
    'kartę',
    'kort*',
    'kortnummer',
    'kreditkort*',
    'luottokort*',
    'kortti*',
  ],
  ...['карт*', 'kart*', 'kredi kartı', 'bankkártya*', 'kártya*', 'platební*', 'card de credit', 'κάρτα*', 'карта*'],
  ...[
    '信用卡*',
    '卡号*',
    '银行卡*',
    '卡號*',
    'クレジットカード*',
    'カード*',
    '카드*',
    '신용카드*',
    'بطاقة*',
    'אשראי*',
    'כרטיס*',
  ],
  ...['क्रेडिट कार्ड*', 'कार्ड*', 'บัตรเครดิต*', 'thẻ tín dụng', 'số thẻ', 'kartu kredit'],
]

export const cards: readonly Identifier[] = [
  { id: 'card-printed', type: 'CREDIT_CARD', layouts: printed, valid: isCard, context, chance: 0.95, leastScore: 0.9 },
  { id: 'card-unseen', type: 'CREDIT_CARD', layouts: unseen, valid: isCard, context, chance: 0.95, leastScore: 0.9 },
  { id: 'card-spaced', type: 'CREDIT_CARD', layouts: spaced, valid: isCard, context, chance: 0.75, leastScore: 0.7 },
  { id: 'card-rows', type: 'CREDIT_CARD', layouts: inRows, valid: isCard, context, chance: 0.65, leastScore: 0.6 },
  {
    id: 'card',
    type: 'CREDIT_CARD',
    layouts: unbroken,
    valid: (id) => id.length > 13 && isCard(id),
    context,
    chance: 0.85,
    leastScore: 0.7,
  },
  { id: 'card-thirteen', type: 'CREDIT_CARD', layouts: ['0'.repeat(13)], valid: isCard, context, chance: 0.4 },
]
