import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../base/finding.ts'
import { nameMatcher } from './names.ts'

const namesIn = (text: string, minScore = 0.5): string[] => {
  const found: Finding[] = []
  nameMatcher.collect(text, 0, found)
  return found.filter(({ score }) => score >= minScore).map(({ start, end }) => text.slice(start, end))
}

describe('a name in running text', () => {
  test.each([
    ['Please transfer the deposit to Maria Gonzalez before Friday.', 'Maria Gonzalez'],
    ['The keys were left with John F. Kennedy last night.', 'John F. Kennedy'],
    ['We met Ludwig van der Berg in Utrecht.', 'Ludwig van der Berg'],
    ["Sinéad O'Connor's ticket is still open.", "Sinéad O'Connor"],
    ['Anne-Marie Dupont-Lefèvre signed the lease.', 'Anne-Marie Dupont-Lefèvre'],
    ['The will of Robert Downing Jr. was read.', 'Robert Downing Jr.'],
    ['Wysłano paczkę do Małgorzata Wiśniewska wczoraj.', 'Małgorzata Wiśniewska'],
    ['Документы подписал Сергей Кузнецов.', 'Сергей Кузнецов'],
    ['Ο φάκελος του Γιώργος Παπαδόπουλος έκλεισε.', 'Γιώργος Παπαδόπουλος'],
  ])('is found whole: %s', (text, name) => {
    expect(namesIn(text)).toEqual([name])
  })

  test('is found after an initial and between capitals that are no part of it', () => {
    expect(namesIn('Call Peter Hofmann on Monday.')).toEqual(['Peter Hofmann'])
    expect(namesIn('The paper by J. Hofmann appeared in May.')).toEqual(['J. Hofmann'])
  })
})

describe('a cue', () => {
  test.each([
    ['Dr. Thandolwethu Qhubeka will see you now.', 'Thandolwethu Qhubeka'],
    ['Frau Xyländer hat angerufen.', 'Xyländer'],
    ['Customer: Zorvan Quillby', 'Zorvan Quillby'],
    ['{"full_name": "Zorvan Quillby", "id": 4}', 'Zorvan Quillby'],
    ['My name is Zorvan Quillby and I cannot log in.', 'Zorvan Quillby'],
    ['Best regards,\nZorvan Quillby', 'Zorvan Quillby'],
    ['Zorvan Quillby <z.quillby@example.org> wrote:', 'Zorvan Quillby'],
    ['my name is peter hofmann and i lost my card', 'peter hofmann'],
    ['my name is jane doe, my number is 5', 'jane doe'],
    ['hello, my name is John Doe.', 'John Doe'],
    ['{"customer":"Jane Doe","city":"Bonn"}', 'Jane Doe'],
    ['and my friend priya sharma says hi', 'priya sharma'],
  ])('makes an unknown name certain enough: %s', (text, name) => {
    expect(namesIn(text)).toEqual([name])
  })

  test('is no part of the name, and neither is a possessive ending', () => {
    expect(namesIn("Mrs. Fatima Al-Masri's appointment")).toEqual(['Fatima Al-Masri'])
  })

  test('raises the score over the same words without it', () => {
    const scoreOf = (text: string): number => {
      const found: Finding[] = []
      nameMatcher.collect(text, 0, found)
      return found[0]?.score ?? 0
    }
    expect(scoreOf('Patient: Peter Hofmann')).toBeGreaterThan(scoreOf('We like Peter Hofmann'))
  })
})

test('family name first, with a comma, is one name', () => {
  expect(namesIn('The invoice for Hargreaves, Harriet is overdue.')).toEqual(['Hargreaves, Harriet'])
  expect(namesIn('Anna, Peter, Maria and Paul came.').some((name) => name.includes(','))).toBe(false)
})

describe('other scripts', () => {
  test.each([
    ['我叫陈晓明，请联系我。', '陈晓明'],
    ['欧阳建国先生您好', '欧阳建国'],
    ['私の名前は田中 太郎です。', '田中 太郎'],
    ['担当の鈴木さんに電話してください。', '鈴木'],
    ['제 이름은 김민준입니다.', '김민준'],
    ['اسمي محمد السيد وأنا من القاهرة', 'محمد السيد'],
    ['שמי יעל כהן ואני גרה בחיפה', 'יעל כהן'],
    ['मेरा नाम राहुल शर्मा है।', 'राहुल शर्मा'],
    ['นายสมชาย ใจดี ลงชื่อ', 'สมชาย ใจดี'],
  ])('%s', (text, name) => {
    expect(namesIn(text)).toContain(name)
  })
})

describe('what is no name', () => {
  test.each([
    'Paris and Berlin are capitals; Mercury is a planet.',
    'Apple and Amazon published their quarterly reports.',
    'The University of Washington and Goldman Street are closed on Monday.',
    'See Chapter Four, The Great Depression, for the New Deal.',
    'Install Visual Studio Code, then open JavaScript files in it.',
    'Der Vertrag regelt die Haftung und das Kündigungsrecht der Gesellschaft.',
    'const Mark = Rose.Grant(May)',
    'Lake Victoria lies north of Mount Kenya.',
    'Will May be warm? I hope so.',
    'このデータは公開されていません。',
    '安全检查时间为上午。',
    '이용자는 정보를 확인할 수 있습니다.',
  ])('%s', (text) => {
    expect(namesIn(text)).toEqual([])
  })
})

describe('on any text', () => {
  const pieces = fc.constantFrom(
    'Anna ',
    'Schmidt',
    ' van ',
    'de ',
    'J. ',
    '王',
    '田中',
    ' 김',
    'Dr. ',
    ', ',
    "'s ",
    '\n',
    ' the ',
    'A',
    '1',
    '@x.org',
    'é',
    '\ud800',
    'Name: ',
    'راشد ',
    'ชื่อ',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  )

  test('findings lie inside it and have a score between 0 and 1', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const found: Finding[] = []
        nameMatcher.collect(text, 0, found)
        for (const { start, end, score } of found) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(score).toBeGreaterThan(0)
          expect(score).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  test('a search that begins later reports the same names from there on', () => {
    fc.assert(
      fc.property(texts, fc.nat(200), (text, from) => {
        const all: Finding[] = []
        const later: Finding[] = []
        nameMatcher.collect(text, 0, all)
        nameMatcher.collect(text, from, later)
        const key = ({ start, end, score }: Finding): string => `${start}-${end}-${score}`
        expect(later.map(key).sort()).toEqual(
          all
            .filter(({ start }) => start >= from)
            .map(key)
            .sort(),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('a name depends on no more than 128 characters before it and 48 after it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const all: Finding[] = []
        nameMatcher.collect(text, 0, all)
        for (const { start, end, score } of all) {
          const from = Math.max(0, start - 128)
          const near: Finding[] = []
          nameMatcher.collect(text.slice(from, end + 48), start - from, near)
          expect(near).toContainEqual(expect.objectContaining({ start: start - from, end: end - from, score }))
        }
      }),
      { numRuns: 500 },
    )
  })
})
