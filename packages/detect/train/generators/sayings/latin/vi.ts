import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const vi: readonly string[] = lines(`
  Có công mài sắt, có ngày nên kim.
  Quy tắc nào cũng có ngoại lệ.
  Gần mực thì đen, gần đèn thì sáng.
  Đi một ngày đàng, học một sàng khôn.
  Ăn quả nhớ kẻ trồng cây.
  Chậm mà chắc.
  Đừng bao giờ quên mình từ đâu đến và để xe ở đâu.
  Chỉ cần muốn là được, huấn luyện viên nói rồi lại ngồi xuống.
  Lập trình viên thực thụ đếm từ số không.
  Mật khẩu của tôi là "sai", để máy tính nhắc tôi mỗi lần nhập nhầm.
  Máy tôi chạy được mà, anh ấy nói rồi đi nghỉ phép.
  "Anh ơi, có ruồi trong canh!" "Nói nhỏ thôi, kẻo ai cũng đòi."
  Thầy: Hãy nêu hai đại từ. Tí: Ai, em ạ?
  Số không nói với số tám: thắt lưng đẹp quá!
  "Từ nay cháu là ông chủ," ông nội nói và đưa tôi cái kẹp nướng thịt.
  "Kệ nó đi," An thì thầm, "nó tưởng nó là vua Tây Ban Nha."
  "Đừng kể với mẹ nhé," cậu nói rồi mở thêm hộp sô-cô-la.
  Không thò đầu, thò tay ra ngoài cửa sổ.
  Không giẫm lên cỏ.
  Coi chừng chó dữ. Mèo cũng không đáng tin.
  Không dùng thang máy khi có cháy.
  Không phận sự miễn vào.
  Bán đàn piano cũ, một đời chủ, tự vận chuyển.
  Lạc mèo xám tên Chả, chỉ nghe khi gọi ăn, còn lại phớt lờ.
  Nhận dạy kèm toán cấp hai, cấp ba, tối thứ ba và thứ năm.
  Ngày mai miền tây có mưa rào, cao nhất 31 độ.
  Cảnh báo gió mạnh ven biển đến 20 giờ.
  Đội chủ nhà thắng 2-1 nhờ bàn thắng phút bù giờ.
  Thành phố duyệt làn xe đạp bất chấp phản đối
  Nghe theo định vị, tài xế lao xuống ao
  Trả sách thư viện sau 62 năm
  Mới: nhiều bọt hơn, ít công hơn.
  Hãy quên bàn là. Chiếc áo nhớ dáng của mình.
  Nhật ký ơi, hôm nay mình phớt lờ ba cái báo thức và một lương tâm.
  Ngày đầu đi làm đã lỡ gọi sếp là mẹ 😅
  Gửi người lấy xe đạp của tôi: xe không có phanh. Chúc may mắn.
  Kính gửi bà Lan, cảm ơn bà về lá thư ngày 3 tháng 5 và mấy quả mận.
  Trăm năm trong cõi người ta, chữ tài chữ mệnh khéo là ghét nhau. — Nguyễn Du
  Không có gì quý hơn độc lập, tự do. — Hồ Chí Minh
  Định luật Murphy: điều gì có thể hỏng thì sẽ hỏng.
  Luật một: bé nhất đi trước. Luật hai: bà ngoại thắng.
  Bí mật: điều cả phòng đều biết mà không ai nói trong cuộc họp.
  Thuyền trưởng ra lệnh im lặng; con vẹt không nghe.
`)
