/**
 * Levels and categories of data, with the detectors that find them. At most 28 categories, so that the labels of a node of
 * lineage are bits of one number beside those of the levels. Tested in taxonomy.test.ts.
 */
export const levels = ['public', 'internal', 'confidential', 'restricted'] as const
export type Level = (typeof levels)[number]

export interface Category {
  readonly id: string
  readonly level: Level
  /** Term of the DPV personal-data extension, where there is one. */
  readonly dpv: string | null
  /** Special category of GDPR Art. 9 or data of Art. 10. */
  readonly special: boolean
  /** Types of findings of the detectors. */
  readonly types: readonly string[]
  /** Words of column names that point to it. */
  readonly names: readonly string[]
}

const category = (id: string, level: Level, more: Partial<Category> = {}): Category => ({
  ...{ id, level, dpv: null, special: false, types: [], names: [] },
  ...more,
})

export const categories: readonly Category[] = [
  category('email', 'confidential', { dpv: 'EmailAddress', types: ['EMAIL'], names: ['email', 'mail'] }),
  category('phone', 'confidential', { dpv: 'TelephoneNumber', types: ['PHONE'], names: ['phone', 'mobile', 'tel'] }),
  category('person_name', 'confidential', {
    dpv: 'Name',
    types: ['PERSON'],
    names: ['name', 'surname', 'firstname', 'lastname'],
  }),
  category('address', 'confidential', { dpv: 'PhysicalAddress', types: ['ADDRESS'], names: ['address', 'street'] }),
  category('postal_code', 'internal', { dpv: 'PostalCode', names: ['zip', 'postal', 'postcode'] }),
  category('birth_date', 'confidential', { dpv: 'BirthDate', types: ['DATE_OF_BIRTH'], names: ['birth', 'dob'] }),
  category('sex', 'confidential', { dpv: 'Gender', names: ['sex', 'gender'] }),
  category('national_id', 'restricted', {
    dpv: 'NationalIdentificationNumber',
    types: ['NATIONAL_ID', 'US_SSN', 'UK_NINO', 'TAX_ID', 'US_EIN'],
    names: ['ssn', 'national'],
  }),
  category('passport', 'restricted', { dpv: 'Passport', types: ['PASSPORT'], names: ['passport'] }),
  category('driving_license', 'restricted', {
    dpv: 'DrivingLicense',
    types: ['DRIVING_LICENSE'],
    names: ['license', 'licence'],
  }),
  category('payment_card', 'restricted', { dpv: 'CreditCardNumber', types: ['CREDIT_CARD'], names: ['card', 'pan'] }),
  category('bank_account', 'restricted', { dpv: 'BankAccount', types: ['IBAN', 'BIC'], names: ['iban', 'account'] }),
  category('health', 'restricted', {
    dpv: 'Health',
    special: true,
    types: ['MEDICAL_RECORD', 'HEALTH_INSURANCE'],
    names: ['diagnosis', 'patient', 'icd'],
  }),
  category('biometric', 'restricted', { dpv: 'Biometric', special: true, names: ['fingerprint', 'biometric'] }),
  category('religion', 'restricted', { dpv: 'Religion', special: true, names: ['religion'] }),
  category('ethnicity', 'restricted', { dpv: 'EthnicOrigin', special: true, names: ['ethnicity', 'race'] }),
  category('sexual_orientation', 'restricted', { dpv: 'SexualPreference', special: true, names: ['orientation'] }),
  category('criminal', 'restricted', { dpv: 'Criminal', special: true, names: ['conviction', 'offence'] }),
  category('ip_address', 'internal', { dpv: 'IPAddress', types: ['IP_ADDRESS'], names: ['ip'] }),
  category('mac_address', 'internal', { dpv: 'MACAddress', types: ['MAC_ADDRESS'], names: ['mac'] }),
  category('location', 'confidential', { dpv: 'Location', types: ['COORDINATES'], names: ['latitude', 'longitude'] }),
  category('username', 'internal', { dpv: 'Username', names: ['username', 'login'] }),
  category('vehicle', 'confidential', { dpv: 'Vehicle', types: ['VIN', 'LICENSE_PLATE'], names: ['vin', 'plate'] }),
  category('crypto_wallet', 'confidential', { types: ['CRYPTO'], names: ['wallet'] }),
  category('salary', 'confidential', { dpv: 'Salary', names: ['salary', 'wage'] }),
  category('device_id', 'internal', { dpv: 'DeviceBased', types: ['IMEI'], names: ['imei', 'device'] }),
  category('secret', 'restricted', { types: ['URL_CREDENTIALS'], names: ['password', 'secret', 'token', 'apikey'] }),
  category('other_personal', 'confidential', { dpv: 'PersonalData' }),
]

const byId = new Map(categories.map((one) => [one.id, one]))
const byType = new Map(categories.flatMap((one) => one.types.map((type) => [type, one.id] as const)))

export const categoryOf = (id: string): Category | null => byId.get(id) ?? null
/** Of a finding of personal data; types without a category of their own are personal data all the same. */
export const categoryOfType = (type: string): string => byType.get(type) ?? 'other_personal'

export const levelAtLeast = (one: Level, other: Level): boolean => levels.indexOf(one) >= levels.indexOf(other)

/** The highest level of categories; null of none. */
export function levelOf(ids: readonly string[]): Level | null {
  const ranks = ids.map((id) => levels.indexOf(categoryOf(id)?.level ?? 'public'))
  return ranks.length === 0 ? null : (levels[Math.max(...ranks)] ?? null)
}

const levelBits = levels.length - 1

/** Labels as bits: the three levels above public in the lowest ones, then the categories. */
export function bitsOf(level: Level | null, ids: readonly string[]): number {
  const rank = level === null ? 0 : levels.indexOf(level)
  let bits = rank === 0 ? 0 : 1 << (rank - 1)
  for (const id of ids) {
    const at = categories.findIndex((one) => one.id === id)
    if (at >= 0) bits |= 1 << (at + levelBits)
  }
  return bits >>> 0
}

export function labelsOf(bits: number): { readonly level: Level | null; readonly categories: readonly string[] } {
  const rank = [3, 2, 1].find((one) => ((bits >>> (one - 1)) & 1) === 1) ?? 0
  return {
    level: rank === 0 ? null : (levels[rank] ?? null),
    categories: categories.flatMap(({ id }, at) => (((bits >>> (at + levelBits)) & 1) === 1 ? [id] : [])),
  }
}

/** Bit of the highest level among the bits; -1 for none. */
export const levelBitOf = (bits: number): number => [2, 1, 0].find((bit) => ((bits >>> bit) & 1) === 1) ?? -1
