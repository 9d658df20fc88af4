/**
 * Words around a name that tell a person from a thing: titles, field labels, introductions, verbs of speaking.
 * Data only, in folded lower case as `fold` writes it; used by `score.ts` and the scripts without capitals.
 */

/** Titles and honorifics that stand before a name, with or without a full stop. */
export const titles = `
mr mrs ms miss mx mister madam sir dame dr doctor prof professor rev reverend fr father sr sister br brother hon judge justice senator sen rep governor gov president prime minister chancellor mayor ambassador captain capt colonel col major maj sergeant sgt lieutenant lt general gen admiral adm commander cmdr officer detective inspector nurse attorney coach chef principal dean
uncle aunt auntie grandma grandpa lady lord baron baroness count countess
herr herrn frau fraulein doktor dipl ing mag monsieur madame mademoiselle mme mlle me maitre docteur professeur senor senora senorita sra srta don dona doctora lic licenciado profesor profesora ingeniero senhor senhora dr dra doutor doutora professora
signor signore signora signorina sig dott dottor dottore dottoressa dssa avv avvocato geom ing meneer mevrouw mevr mw dhr heer drs mr herra rouva fru froken hr herr pan pani pana panem panu panstwo doc mgr inz mudr judr phdr dna domnul doamna dl domnisoara ur asszony bay bayan sayin hoca
kyrios kyria k gospodin gospodja gospa gospod zoti zonja shri sri shrimati smt kumari pandit ustad sheikh sheik shaykh sayyid syed hajji haji hadji imam mullah rabbi rav sultan emir bapak pak ibu bu datuk dato tuan puan encik cik khun nai
г гн госпожа господин госпожи господина господину тов товарищ гражданин гражданка гражданина доктор профессор пан пані пана добродій инженер капитан полковник майор г-н г-жа
κυριος κυρια κυριε κ δρ καθηγητης
السيد السيدة الأستاذ الأستاذة استاذ الدكتور الدكتورة د دكتور دكتورة المهندس المهندسة الشيخ الأخ الأخت الآنسة سيد آقای خانم دکتر مهندس جناب سرکار
מר גברת גב' הגברת ד"ר דר פרופ' פרופסור הרב עו"ד האדון
श्री श्रीमती सुश्री कुमारी डॉ डॉक्टर प्रोफेसर पंडित जनाब জনাব জনাবা মিসেস ডাঃ ডা মোঃ শ্রী শ্রীমতী திரு திருமதி శ్రీ శ్రీమతి શ્રી શ્રીમતી ਸ੍ਰੀ
አቶ ወይዘሮ ዶክተር ወይዘሪት
`
  .trim()
  .split(/\s+/)

/** Field labels after which a person's name is written. */
export const labels = `
customer client clients patient employee applicant candidate insured policyholder cardholder accountholder tenant landlord beneficiary payee payer recipient sender addressee consignee passenger guest student pupil parent guardian spouse signatory witness defendant plaintiff claimant respondent borrower guarantor nominee referee attn attention contact caller complainant member author reviewer assignee reporter owner manager supervisor signed undersigned fullname firstname lastname surname forename forenames
kunde kundin patient patientin mitarbeiter mitarbeiterin versicherter versicherte antragsteller antragstellerin bewerber bewerberin kontoinhaber kontoinhaberin empfanger absender ansprechpartner ansprechpartnerin mieter mieterin vermieter teilnehmer teilnehmerin karteninhaber vorname nachname familienname zuname unterzeichner
client cliente patiente salarie salariee titulaire beneficiaire destinataire expediteur locataire assure assuree prenom nom usager candidate signataire interlocuteur
paciente empleado empleada titular beneficiario beneficiaria destinatario remitente inquilino asegurado asegurada solicitante nombre apellido apellidos alumno alumna firmante funcionario segurado requerente inquilina nome sobrenome apelido aluno aluna interessado
paziente dipendente intestatario intestataria destinatario mittente assicurato cognome nome richiedente inquilino studente klant patient werknemer medewerker rekeninghouder begunstigde ontvanger afzender huurder verzekerde naam voornaam achternaam
kund patient anstalld mottagare avsandare namn fornamn efternamn kontohavare sokande kunde pasient ansatt mottaker navn fornavn etternavn medarbejder modtager efternavn asiakas potilas tyontekija vastaanottaja nimi etunimi sukunimi
klient klientka pacjent pacjentka pracownik odbiorca nadawca posiadacz imie nazwisko najemca zakaznik zakaznice pacient zamestnanec prijemce jmeno prijmeni meno priezvisko ugyfel paciens nev vevo munkavallalo nume prenume pacientul clientul angajat beneficiar titularul
musteri hasta calisan alici gonderen ad adi soyad soyadi isim yolcu kupac klijent pacijent ime prezime zaposlenik korisnik onoma eponymo pelatis
клиент клиента клиентка пациент пациента пациентка сотрудник сотрудница получатель отправитель плательщик заявитель фио имя фамилия отчество владелец заказчик контакт пацієнт пацієнтка клієнт клієнтка прізвище отримувач ім'я іме пациентка
ονομα ονοματεπωνυμο επωνυμο πελατης ασθενης υπαλληλος
الاسم اسم العميل المريض الموظف المستلم المرسل نام مشتری بیمار שם לקוח מטופל עובד מקבל
नाम ग्राहक मरीज़ मरीज रोगी कर्मचारी নাম গ্রাহক রোগী ชื่อ ลูกค้า
`
  .trim()
  .split(/\s+/)

/** Labels that name people as often as files and products: they need a gazetteer hit. */
export const weakLabels = [
  'name',
  'user',
  'username',
  'by',
  'from',
  'to',
  'title',
  'author',
  'id',
  'nom',
  'name',
  'ad',
  'nome',
]

/** Words that end an introduction such as "my name is" or "ich heiße", checked with the words before them. */
export const introductions = `
my name is|my name's|name is|i am called|i'm called|called|named|this is|i am|i'm|call me|speaking with|spoke with|on behalf of|signed by|written by|yours sincerely|sincerely|regards|cheers|attention
mein name ist|ich heisse|ich bin|heisst|namens|je m'appelle|m'appelle|mon nom est|je suis|au nom de|s'appelle|nomme|me llamo|mi nombre es|soy|se llama|a nombre de|meu nome e|o meu nome e|me chamo|chamo-me|eu sou|sou|em nome de|chama-se|mi chiamo|il mio nome e|sono|si chiama|a nome di|intestato a
mijn naam is|ik heet|ik ben|op naam van|jag heter|mitt namn ar|heter|jeg heter|mitt navn er|jeg hedder|mit navn er|hedder|nimeni on|olen|nazywam sie|mam na imie|jestem|na imie|jmenuji se|jmenuju se|moje jmeno je|volam sa|a nevem|nevem|ma numesc|numele meu este|ma cheama|eu sunt|zovem se|moje ime je|ime mi je|quhem|me lene|benim adim|adim|ismim|nama saya|saya|nama saya adalah|ten toi la|toi ten la|ang pangalan ko ay|ako si|jina langu ni|ninaitwa|igama lami ngu|oruko mi ni|jestem|kazvam se|menya zovut|moe imya|minu nimi on|mano vardas|mani sauc
меня зовут|мое имя|зовут|кличут|мене звати|мене звуть|мое име е|казвам се|зовем се|моје име је|με λενε|ονομαζομαι|το ονομα μου ειναι|λεγομαι
`
  .trim()
  .split(/[|\n]/)

/** Verbs and nouns right after a person. */
export const followers = `
said says told asked replied wrote writes called calls works worked lives lived joined left signed reported explained added noted argued claimed confirmed complained requested ordered paid bought visited met thinks believes wants needs knows married born died phoned emailed mailed messaged stated announced testified admitted denied agreed answered insisted suggested recalled laughed smiled nodded shrugged who whose whom
sagte sagt fragte schrieb wohnt arbeitet rief meldete erklarte dit disait demande declare habite travaille ecrit repondu dijo dice pregunto escribio vive trabaja llamo explico disse diz perguntou escreveu mora trabalha ligou ha dice detto scritto abita lavora chiesto zei vroeg schreef woont werkt belde sade sager skrev bor arbetar jobber sanoi kysyi kirjoitti asuu
сказал сказала говорит спросил спросила написал написала живет работает ответил ответила позвонил позвонила dedi soyledi sordu yazdi yasiyor calisiyor powiedzial powiedziala napisal napisala mieszka pracuje rekl rekla mondta spus ειπε
`
  .trim()
  .split(/\s+/)

/** Lower-case or capitalized words inside a family name. */
export const particles = `
van von de der den del della dello delle dei degli di da dal do dos das du des la le las los el al bin ibn bint ben abu ter ten te op 't zu zum zur und y e i san santa st af av ap mac fitz d l o
`
  .trim()
  .split(/\s+/)

/** Endings after a name that belong to it. */
export const suffixes = ['jr', 'sr', 'ii', 'iii', 'iv']
