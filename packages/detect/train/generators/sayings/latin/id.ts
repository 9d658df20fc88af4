import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const id: readonly string[] = lines(`
  Sedikit demi sedikit, lama-lama menjadi bukit.
  Setiap aturan ada pengecualiannya.
  Air beriak tanda tak dalam.
  Berakit-rakit ke hulu, berenang-renang ke tepian.
  Tak kenal maka tak sayang.
  Sepandai-pandai tupai melompat, akhirnya jatuh juga.
  Jangan pernah lupa dari mana asalmu dan di mana motormu diparkir.
  Kamu cuma harus mau, kata pelatih, lalu duduk lagi.
  Programmer sejati menghitung dari nol.
  Kata sandi saya "salah", supaya komputer selalu mengingatkan.
  Di komputer saya jalan, katanya, lalu pergi cuti.
  "Mas, ada lalat di sup saya!" "Pelan-pelan, nanti semua minta."
  Guru: Sebutkan dua kata ganti. Budi: Siapa, saya?
  Kata nol kepada delapan: ikat pinggangmu bagus!
  "Mulai sekarang kamu bosnya," kata Kakek sambil memberi penjepit sate.
  "Abaikan saja dia," bisik Ani, "dia pikir dia raja Spanyol."
  "Jangan bilang Ibu," kata Paman, lalu membuka sekotak cokelat lagi.
  Dilarang mengeluarkan anggota badan dari jendela.
  Dilarang menginjak rumput.
  Awas anjing galak. Kucingnya juga jangan dipercaya.
  Jangan gunakan lift saat kebakaran.
  Selain petugas dilarang masuk.
  Dijual piano bekas, satu pemilik, ambil sendiri, harga nego.
  Hilang kucing abu-abu bernama Lemper, mengabaikan semua kecuali makanan.
  Les matematika SMP dan SMA, Selasa dan Kamis sore.
  Besok hujan ringan di wilayah barat, suhu tertinggi 31 derajat.
  Peringatan angin kencang di pesisir sampai pukul 20.00.
  Tuan rumah menang 2-1 lewat gol di masa tambahan waktu.
  DPRD setujui jalur sepeda meski diprotes
  Ikuti peta digital, mobil masuk kolam
  Buku perpustakaan kembali setelah 62 tahun
  Baru: lebih banyak busa, lebih sedikit tenaga.
  Lupakan setrika. Kemeja yang ingat bentuknya.
  Buku harian tersayang, hari ini aku mengabaikan tiga alarm dan satu hati nurani.
  Hari pertama kerja dan aku sudah memanggil bos dengan sebutan Ibu 😅
  Untuk yang mengambil sepedaku: remnya tidak ada. Semoga berhasil.
  Yth. Ibu Sari, terima kasih atas surat tanggal 3 Mei dan buah premnya.
  Aku ini binatang jalang, dari kumpulannya terbuang. — Chairil Anwar
  Hukum Murphy: apa yang bisa salah akan salah.
  Aturan satu: yang termuda mulai. Aturan dua: Nenek yang menang.
  Rahasia: yang diketahui semua orang di kantor dan tidak diucapkan dalam rapat.
  Kapten memerintahkan diam; burung beo tidak patuh.
`)
