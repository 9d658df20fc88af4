import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const pl: readonly string[] = lines(`
  Gdzie kucharek sześć, tam nie ma co jeść.
  Wyjątek potwierdza regułę.
  Nie chwal dnia przed zachodem słońca.
  Kto pod kim dołki kopie, ten sam w nie wpada.
  Bez pracy nie ma kołaczy.
  Nie mój cyrk, nie moje małpy.
  Nigdy nie zapominaj, skąd jesteś i gdzie zaparkowałeś.
  Musisz tylko chcieć, powiedział trener i znowu usiadł.
  Prawdziwi programiści liczą od zera.
  Prawdziwy góral nie patrzy na prognozę.
  Moje hasło to „nieprawidłowe”, żeby komputer mi przypominał.
  U mnie działa, powiedział i pojechał na urlop.
  – Kelner, mucha w mojej zupie! – Ciszej, bo wszyscy będą chcieli.
  – Jasiu, podaj dwa zaimki. – Kto, ja?
  Mówi zero do ósemki: ładny pasek!
  – Od dziś ty tu rządzisz – powiedział dziadek i podał mi szczypce do grilla.
  – Zignoruj go – szepnęła Ania. – Myśli, że jest królem Hiszpanii.
  – Nie mów mamie – mruknął wujek i otworzył drugie pudełko czekoladek.
  Nie wychylać się.
  Szanuj zieleń. Nie deptać trawników.
  Uwaga, zły pies. Kotu też nie ufać.
  W razie pożaru nie używać windy.
  Nieupoważnionym wstęp wzbroniony.
  Sprzedam pianino, jeden właściciel, 600 zł, odbiór własny.
  Zaginął szary kot, reaguje na imię Pierożek, resztę ignoruje.
  Korepetycje z matematyki, szkoła podstawowa i liceum, 60 zł za godzinę.
  Jutro na zachodzie przelotne opady, temperatura do 17 stopni.
  W nocy przygruntowe przymrozki, rano mgły.
  Gospodarze wygrali 2:1 po bramce w doliczonym czasie gry.
  Rada miasta zgadza się na ścieżkę rowerową mimo protestów
  Emeryt posłuchał nawigacji i wjechał do stawu
  Książka wróciła do biblioteki po 62 latach
  Nowość: więcej piany, mniej szorowania.
  Zapomnij o prasowaniu. Koszula, która pamięta.
  Drogi pamiętniczku, dziś zignorowałem trzy budziki i jedno sumienie.
  Pierwszy dzień w pracy i już powiedziałem do szefowej „mamo” 😅
  Do tego, kto ukradł mi rower: nie ma hamulców. Powodzenia.
  Szanowna Pani, dziękuję za list z 3 maja i za śliwki.
  Litwo! Ojczyzno moja! ty jesteś jak zdrowie. — Adam Mickiewicz
  Nic dwa razy się nie zdarza. — Wisława Szymborska
  Prawo Murphy'ego: jeśli coś może się nie udać, nie uda się na pewno.
  Kanapka zawsze spada masłem do dołu.
  Zasada pierwsza: zaczyna najmłodszy. Zasada druga: wygrywa babcia.
  Regulamin domu: po 22 nie gramy na pianinie.
  Tajemnica: to, co wszyscy w biurze wiedzą, a nikt nie mówi na zebraniu.
  Wlazł kotek na płotek i mruga, ładna to piosenka, niedługa.
  Kapitan zarządził ciszę; papuga nie posłuchała.
`)
