// size waiver: one list of data.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findPii } from './find-pii.ts'
import { structuredMatcher } from './structured.ts'

// Numbers are the worked examples of national/national.test.ts, test cards of the networks, examples of the SWIFT
// registry, ICAO, 3GPP and the Bitcoin and Ethereum improvement proposals, and telephone numbers reserved for fiction.
const holding: readonly (readonly [text: string, ...found: string[]])[] = [
  ['Call (555) 123-4567 x890 now', 'PHONE=(555) 123-4567 x890'],
  ['My phone number is +44 20 7946 0958.', 'PHONE=+44 20 7946 0958'],
  ['001-541-754-3010', 'PHONE=001-541-754-3010'],
  ['Reach me at 541-754-3010x1234 please', 'PHONE=541-754-3010x1234'],
  ['contact: +1-541-754-3010 ext. 55', 'PHONE=+1-541-754-3010 ext. 55'],
  ['I tried 1-541-754-3010 twice', 'PHONE=1-541-754-3010'],
  ['his cell is 5417543010', 'PHONE=5417543010'],
  ['My card 4111111111111111 was charged', 'CREDIT_CARD=4111111111111111'],
  // A valid card number is one, with any text before it.
  ['Order #4532015112830366 shipped', 'CREDIT_CARD=4532015112830366'],
  ['Order 4111 1111 1111 1111', 'CREDIT_CARD=4111 1111 1111 1111'],
  ['Bestellung 4111-1111-1111-1111', 'CREDIT_CARD=4111-1111-1111-1111'],
  ['see ?email=jane.doe%40example.com now', 'EMAIL=jane.doe%40example.com'],
  ['jane.doe&#64;example.com', 'EMAIL=jane.doe&#64;example.com'],
  ['jane.doe&#x40;example.com', 'EMAIL=jane.doe&#x40;example.com'],
  ['"jane.doe\\u0040example.com"', 'EMAIL=jane.doe\\u0040example.com'],
  ['jane.doe＠example.com', 'EMAIL=jane.doe＠example.com'],
  ['ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'EMAIL=ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
  ['card\t4111\t1111\t1111\t1111', 'CREDIT_CARD=4111\t1111\t1111\t1111'],
  ['card:\n4111\n1111\n1111\n1111', 'CREDIT_CARD=4111\n1111\n1111\n1111'],
  ['pay 4111\u00ad1111\u00ad1111\u00ad1111', 'CREDIT_CARD=4111\u00ad1111\u00ad1111\u00ad1111'],
  ['pay 3782\u200b822463\u200b10005', 'CREDIT_CARD=3782\u200b822463\u200b10005'],
  ['Please update billing: 5555-5555-5555-4444', 'CREDIT_CARD=5555-5555-5555-4444'],
  ['30569309025904 is my diners', 'CREDIT_CARD=30569309025904'],
  ['my IBAN is GB29NWBK60161331926819', 'IBAN=GB29NWBK60161331926819'],
  ['IBAN:GB29 NWBK 6016 1331 9268 19 thx', 'IBAN=GB29 NWBK 6016 1331 9268 19'],
  ['SSN 078-05-1120', 'US_SSN=078-05-1120'],
  ['social security number: 078051120', 'US_SSN=078051120'],
  ['the ssn 212 45 7891', 'US_SSN=212 45 7891'],
  ['{"ssn":"212-45-7891","taxId":"12-3456789"}', 'US_SSN=212-45-7891', 'US_EIN=12-3456789'],
  ['{"customerSsn": "212457891"}', 'US_SSN=212457891'],
  ['name,ssn,dob\nJohn,212-45-7891,1980-02-03', 'US_SSN=212-45-7891', 'DATE_OF_BIRTH=1980-02-03'],
  ["My driver's license number is H12234567", 'DRIVING_LICENSE=H12234567'],
  ['driver license: 99.12.345678-A', 'DRIVING_LICENSE=99.12.345678-A'],
  ['server at 2001:0db8:85a3:0000:0000:8a2e:0370:7334 is up', 'IP_ADDRESS=2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
  ['ip 2a02:6b8::2:242', 'IP_ADDRESS=2a02:6b8::2:242'],
  ['blocked 85.214.132.117 again', 'IP_ADDRESS=85.214.132.117'],
  ['Mon NIR : 2 55 08 14 168 025 38.', 'NATIONAL_ID:FR=2 55 08 14 168 025 38'],
  ['Numéro de sécu 255081416802538', 'NATIONAL_ID:FR=255081416802538'],
  ['CPF nº 529.982.247-25', 'NATIONAL_ID:BR=529.982.247-25'],
  ['cpf: 52998224725', 'NATIONAL_ID:BR=52998224725'],
  ['HETU: 131052-308T', 'NATIONAL_ID:FI=131052-308T'],
  ['hetu 131052-308T', 'NATIONAL_ID:FI=131052-308T'],
  ['Codice fiscale: RSSMRA85T10A562S', 'NATIONAL_ID:IT=RSSMRA85T10A562S'],
  ['rssmra85t10a562s', 'NATIONAL_ID:IT=rssmra85t10a562s'],
  ['DNI 12345678Z', 'NATIONAL_ID:ES=12345678Z'],
  ['NIE X1234567L', 'NATIONAL_ID:ES=X1234567L'],
  ['BSN-nummer 111222333', 'NATIONAL_ID:NL=111222333'],
  ['mijn burgerservicenummer: 111222333', 'NATIONAL_ID:NL=111222333'],
  ['TCKN 10000000146', 'NATIONAL_ID:TR=10000000146'],
  ['nr PESEL: 44051401359', 'NATIONAL_ID:PL=44051401359'],
  ['Klient o numerze PESEL 44051401458', 'NATIONAL_ID:PL=44051401458'],
  ['personnr: 811218-9876', 'NATIONAL_ID:SE=811218-9876'],
  ['CNP: 1800101221144', 'NATIONAL_ID:RO=1800101221144'],
  ['NHS No. 943 476 5919', 'NATIONAL_ID:GB=943 476 5919'],
  ['NHS: 9434765919', 'NATIONAL_ID:GB=9434765919'],
  ['NRIC: S1234567D', 'NATIONAL_ID:SG=S1234567D'],
  ['tax file no 123 456 782', 'NATIONAL_ID:AU=123 456 782'],
  ['Aadhaar no. 2341 2341 2346', 'NATIONAL_ID:IN=2341 2341 2346'],
  ['NI no: AB123456C', 'UK_NINO=AB123456C'],
  ['身份证: 11010519491231002X', 'NATIONAL_ID:CN=11010519491231002X'],
  ['证件号码11010519491231002X。', 'NATIONAL_ID:CN=11010519491231002X'],
  ['個人番号：123456789018', 'NATIONAL_ID:JP=123456789018'],
  ['身分證字號:A123456789', 'NATIONAL_ID:TW=A123456789'],
  ['מספר זהות 123456782', 'NATIONAL_ID:IL=123456782'],
  ['ת.ז. 123456782', 'NATIONAL_ID:IL=123456782'],
  ['เลขประจำตัวประชาชน 1-1017-00203-45-1', 'NATIONAL_ID:TH=1-1017-00203-45-1'],
  ['SA ID: 8001015009087', 'NATIONAL_ID:ZA=8001015009087'],
  ['ITIN 912-70-1234', 'NATIONAL_ID:US=912-70-1234'],
  ['CUIL 20-12345678-6', 'NATIONAL_ID:AR=20-12345678-6'],
  ['SIN: 046 454 286', 'NATIONAL_ID:CA=046 454 286'],
  ['RUN 12.345.678-5', 'NATIONAL_ID:CL=12.345.678-5'],
  ['IdNr. 86095742719', 'NATIONAL_ID:DE=86095742719'],
  ['Fødselsnr. 01010750160', 'NATIONAL_ID:NO=01010750160'],
  ['NIF 123456789', 'NATIONAL_ID:PT=123456789'],
  ['numéro de registre national 85.07.30-033.28', 'NATIONAL_ID:BE=85.07.30-033.28'],
  ['CURP: HEGG560427MVZRRL04', 'NATIONAL_ID:MX=HEGG560427MVZRRL04'],
  ['MAC 00:1B:44:11:3A:B7', 'MAC_ADDRESS=00:1B:44:11:3A:B7'],
  ['passport C01X00T47 issued', 'PASSPORT=C01X00T47'],
  ['Reisepass-Nr.: C01X00T47', 'PASSPORT=C01X00T47'],
  ['Patient ID: 12345678', 'MEDICAL_RECORD=12345678'],
  ['MRN: A-123456', 'MEDICAL_RECORD=A-123456'],
  ['DOB: 03/04/1985', 'DATE_OF_BIRTH=03/04/1985'],
  ['Née le 3 mars 1985 à Lyon', 'DATE_OF_BIRTH=3 mars 1985'],
  ['nacida el 3 de marzo de 1985', 'DATE_OF_BIRTH=3 de marzo de 1985'],
  ['born on the 3rd of March 1985', 'DATE_OF_BIRTH=3rd of March 1985'],
  ['born March 3rd, 1985', 'DATE_OF_BIRTH=March 3rd, 1985'],
  ['生年月日は1985年3月4日です', 'DATE_OF_BIRTH=1985年3月4日'],
  ['Syntymäaika 3.4.1985', 'DATE_OF_BIRTH=3.4.1985'],
  ['родился 3 марта 1985 г.', 'DATE_OF_BIRTH=3 марта 1985'],
  ['생년월일: 1985년 3월 4일', 'DATE_OF_BIRTH=1985년 3월 4일'],
  ['"birthDate": "1985-03-04"', 'DATE_OF_BIRTH=1985-03-04'],
  ['send BTC to 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'CRYPTO=1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'CRYPTO=bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'CRYPTO=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['IMEI 490154203237518', 'IMEI=490154203237518'],
  ['VIN 1HGCM82633A004352', 'VIN=1HGCM82633A004352'],
  ['SWIFT: DEUTDEFF500', 'BIC=DEUTDEFF500'],
  ['Located at 48.8584, 2.2945 today', 'COORDINATES=48.8584, 2.2945'],
  ['postgres://bob:secretpw@db.example.com/x', 'URL_CREDENTIALS=postgres://bob:secretpw@db.example.com'],
  ['plate: AB12 CDE', 'LICENSE_PLATE=AB12 CDE'],
  ['Email: jürgen.müller@bücher.example', 'EMAIL=jürgen.müller@bücher.example'],
  ["o'neil+tag@mail.example.co.uk.", "EMAIL=o'neil+tag@mail.example.co.uk"],
  ['邮箱zhang@example.com请联系', 'EMAIL=zhang@example.com'],
  ['jane.doe (at) example dot com', 'EMAIL=jane.doe (at) example dot com'],
  ["'bob@example.com'", 'EMAIL=bob@example.com'],
  ['Tel. 030/1234567', 'PHONE=030/1234567'],
  ['Tél : 01.42.68.53.00', 'PHONE=01.42.68.53.00'],
  ['携帯 090-1234-5678', 'PHONE=090-1234-5678'],
  ['Mobile: 98765 43210', 'PHONE=98765 43210'],
  ['WhatsApp me: +91-98765-43210', 'PHONE=+91-98765-43210'],
  ['Ligue para (11) 91234-5678', 'PHONE=(11) 91234-5678'],
  ['Zadzwoń: 601 234 567', 'PHONE=601 234 567'],
  ['Τηλ. 210 1234567', 'PHONE=210 1234567'],
  ['โทร 081-234-5678', 'PHONE=081-234-5678'],
  ['Soita numeroon 040 1234567', 'PHONE=040 1234567'],
  ['тел. 8 (495) 123-45-67', 'PHONE=8 (495) 123-45-67'],
  ['0176 1234 5678 ist meine Handynummer', 'PHONE=0176 1234 5678'],
  ['(020) 7946 0958', 'PHONE=(020) 7946 0958'],
  ['07911 123456', 'PHONE=07911 123456'],
  ['phone: 415-555-2671', 'PHONE=415-555-2671'],
]

const clean: readonly string[] = [
  'Invoice 2024-0001-2233 of 12.05.2024',
  'Order #4532015112830364 shipped? no: order 4532015112830367',
  'Version 10.0.19045.3930 and 1.2.3.4',
  'ISBN 978-3-16-148410-0',
  'ISBN 0-306-40615-2',
  'pi 3.14159265358979 and 2.718281828459045',
  '550e8400-e29b-41d4-a716-446655440000',
  'The year 2023 had 365 days, 8,760 hours',
  'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'price $1,234,567.89 and 1234567890 units',
  '2024-05-17T10:30:00Z 1715941800 1715941800000',
  'rate 123-456 and 12-34',
  'Bind 0.0.0.0:8080 127.0.0.1 255.255.255.0 ::1',
  '#ff00aa rgb(12,34,56) 192x168',
  'Flight LH1234 seat 12A gate B22',
  'chapter 4.2.1 and 10.1.2.3',
  'ports 8080-9090; 1024 2048 4096 8192',
  'ECLI:EU:C:2014:317',
  'USB VID 1d6b:0002 at 12:30:45',
  'Room 2042, ext 12',
  'RFC 2119 and ISO 27001:2022',
  'Die Rechnung 20231145 vom 03.04.2023 über 1.234,56 EUR',
  'postgres://localhost:5432/db',
  'x@2x.png @media user@localhost',
  'call f(1234567) twice',
  'phone released 12.05.2024',
  'Born to run since 1999',
  'UPS 1Z999AA10123456784 tracking',
  'DOI 10.1000/182',
  'Kundennummer 10023456',
  'SKU 123-45-6789',
  'The CPU has 123456789 transistors',
  'Paket JJD000390007827383 2394 unterwegs',
  'Call 911 or 112',
  'GPU 4090 vs 7900',
  '12:34:56:78',
  'git commit 1234567',
  'tel aviv 2023-11-05',
  'ID 1234',
  'lat 12',
  'Patient was seen 2024-03-02 for 12 weeks',
  'Seriennummer 12345678Z',
  'meeting id 123 456 7890',
  'zoom 987-654-3210 passcode',
]

const described = (text: string): string[] =>
  findPii(text, { types: structuredMatcher.types }).map(({ type, country, start, end }) => {
    const place = type === 'NATIONAL_ID' ? `:${country}` : ''
    return `${type}${place}=${text.slice(start, end)}`
  })

describe('personal data', () => {
  test.each(holding)('%j is read', (text, ...found) => {
    expect(described(text)).toEqual(found)
  })

  test.each(clean)('%j holds nothing', (text) => {
    expect(described(text)).toEqual([])
  })

  test('only the asked types, scores and countries are reported', () => {
    const text = 'a@b.co 4111111111111111, BSN 111222333, TFN 123456782'
    expect(findPii(text, { types: ['EMAIL'] }).map(({ type }) => type)).toEqual(['EMAIL'])
    expect(findPii(text, { minScore: 0.985 }).map(({ country }) => country)).toEqual(['NL', 'AU'])
    expect(findPii(text, { locales: ['NL'], types: ['NATIONAL_ID'] }).map(({ country }) => country)).toEqual(['NL'])
  })

  test('a passport line of a machine-readable zone is found by its check digits', () => {
    // ICAO 9303-4 appendix B.
    const zone = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10'
    expect(described(zone)).toEqual(['PASSPORT=L898902C3'])
    expect(described(zone.replace('7408122F', '7408123F'))).toEqual([])
  })

  test('digits of other scripts are read', () => {
    expect(described('CPF: ５２９.９８２.２４７-２５')).toEqual(['NATIONAL_ID:BR=５２９.９８２.２４７-２５'])
  })

  test('any text is answered with findings inside it that do not overlap', () => {
    const piece = fc.constantFrom(
      'DE89 3704',
      '@',
      '\ud800',
      '\0',
      '+49',
      '(',
      ')',
      '0',
      '12.',
      'born ',
      '::',
      '身份证',
      '://',
      'a',
      ' ',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(text, (any) => {
        let covered = 0
        for (const { start, end } of findPii(any)) {
          expect(start).toBeGreaterThanOrEqual(covered)
          expect(end).toBeGreaterThan(start)
          covered = end
        }
        expect(covered).toBeLessThanOrEqual(any.length)
      }),
    )
  })

  test('a value is judged by its neighborhood alone', () => {
    const filler = '. Lorem ipsum dolor sit amet consectetur. '.repeat(8)
    for (const [text, ...found] of holding) expect(described(filler + text + filler)).toEqual(found)
  })
})
