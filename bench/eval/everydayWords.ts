// Synonyms of everyday life, in English and Japanese: what a general model knows beside the words of developers. In the
// format of src/text/lexicon/parseLexicon.ts. Written from general knowledge.

export const EVERYDAY_WORDS = `
beach seaside shore coast | sea sand | 砂浜 浜辺 海岸 ビーチ
desk table | furniture | 机 デスク テーブル
chair seat bench | furniture | 椅子 席 腰掛け
house home residence | building | 家 住宅 自宅
room chamber | space | 部屋 室
door gate entrance | entry | 扉 ドア 入口 玄関
window pane | glass | 窓 ウィンドウ
street road avenue lane | path | 道 道路 通り
car automobile vehicle | truck bus | 車 自動車
train railway rail | station | 電車 列車 鉄道
plane aircraft airplane flight | airport | 飛行機 航空機
ship boat vessel | sail | 船 ボート
bicycle bike cycle | ride | 自転車
dog puppy hound | animal | 犬 子犬
cat kitten | animal | 猫 子猫
bird fowl | animal | 鳥 小鳥
fish seafood | animal | 魚
horse pony | animal | 馬
tree wood forest | plant | 木 森 樹木
flower blossom bloom | plant | 花 お花
river stream creek | water | 川 河川
mountain hill peak | climb | 山 山岳
sea ocean | water | 海 海洋
sky heaven air | cloud | 空 大空
rain shower wet | weather | 雨 降雨
snow ice frost | cold | 雪 氷
sun sunshine sunny | day | 太陽 日光 晴れ
moon lunar | night | 月
star planet | sky | 星 惑星
fire flame blaze burn | hot | 火 炎 燃える 火事
water liquid fluid | drink | 水 液体
bread toast loaf | food | パン
rice grain | food | 米 ご飯
meat beef pork | food | 肉
fruit apple orange | food | 果物 くだもの
tea coffee drink beverage | cup | お茶 飲み物 飲料 コーヒー
lunch dinner breakfast meal | eat | 昼食 夕食 朝食 食事
cook bake boil | kitchen | 料理 調理 焼く
eat consume dine | food | 食べる 食う
sleep rest nap doze | bed | 眠る 寝る 睡眠
walk stroll hike | foot | 歩く 散歩
run jog sprint | foot | 走る
swim dive | water | 泳ぐ 水泳
speak talk say tell | voice | 話す 言う 語る しゃべる
listen hear | ear | 聞く 聴く
look see watch view | eye | 見る 眺める
read browse | book | 読む 読書
write pen note | letter | 書く 記す
teach instruct educate | school | 教える 指導
study learn | school | 学ぶ 勉強
buy purchase acquire | shop | 買う 購入
sell vend trade | shop | 売る 販売
give donate offer | present | 与える あげる 贈る
take grab seize | hold | 取る つかむ
laugh smile grin | happy | 笑う 微笑む
cry weep sob | sad | 泣く 涙
happy glad joyful pleased | fun | 嬉しい 幸せ 喜ぶ
sad unhappy sorrow | cry | 悲しい 寂しい
angry mad furious upset | hate | 怒る 腹立たしい
afraid scared fear frightened | worry | 怖い 恐れる
tired exhausted weary | sleep | 疲れる 疲れた
sick ill unwell disease | doctor | 病気 病 具合
pain ache hurt sore | sick | 痛み 痛い
medicine drug pill | doctor | 薬 医薬品
body flesh | person | 体 身体
head skull brain | body | 頭 脳
hand arm finger | body | 手 腕 指
foot leg | body | 足 脚
eye sight vision | look | 目 視力
mother mom parent | family | 母 お母さん
father dad parent | family | 父 お父さん
family relatives kin | home | 家族 親戚
friend pal buddy | person | 友達 友人
man male guy | person | 男 男性
woman female lady | person | 女 女性
baby infant | child | 赤ちゃん 幼児
young youth juvenile | age | 若い 若者
old aged elderly senior | age | 年寄り 老人 高齢
hot warm heat | summer | 暑い 熱い 暖かい
cold cool chilly | winter | 寒い 冷たい 涼しい
spring | season | 春
summer | season | 夏
autumn fall | season | 秋
winter | season | 冬
morning dawn sunrise | day | 朝 早朝
evening dusk sunset | day | 夕方 晩
night midnight | dark | 夜 夜中
hour minute second | time | 時間 分 秒
bright light shiny | sun | 明るい 光 輝く
dark dim gloomy | night | 暗い 闇
red crimson | color | 赤 赤い
blue azure | color | 青 青い
green | color | 緑
white | color | 白 白い
black | color | 黒 黒い
loud noisy | sound | うるさい 騒々しい
quiet calm still peaceful | silent | 静か 穏やか
clean neat tidy | wash | 清潔 きれい
dirty filthy messy | mud | 汚い 不潔
beautiful pretty lovely gorgeous | nice | 美しい きれい
ugly hideous | bad | 醜い
strong powerful mighty | force | 強い 強力
weak feeble frail | soft | 弱い 弱々しい
heavy weighty | weight | 重い
rich wealthy affluent | money | 豊か 金持ち 裕福
poor needy | money | 貧しい 貧乏
cheap inexpensive affordable | price | 安い 安価
expensive costly pricey | price | 高い 高価
thick fat wide broad | size | 太い 厚い 広い
thin slim narrow | size | 細い 薄い 狭い
high tall | up | 高い
low short | down | 低い
true real genuine | fact | 本当 真実 本物
false fake untrue | lie | 偽 嘘 偽物
clever smart intelligent wise | brain | 賢い 利口 頭がいい
stupid foolish silly dumb | mistake | 馬鹿 愚か
busy occupied engaged | work | 忙しい 多忙
free idle spare | time | 暇 自由
war battle fight conflict | army | 戦争 戦い 争い
peace harmony calm | quiet | 平和 和
king queen ruler monarch | country | 王 女王
law rule regulation | court | 法律 規則
police officer cop | crime | 警察 警官
thief robber burglar | crime | 泥棒 盗人
steal rob theft | crime | 盗む 盗難
kill murder slay | death | 殺す 殺害
die death dead | end | 死ぬ 死亡 死
born birth | baby | 生まれる 誕生
marry wedding marriage | family | 結婚 婚礼
gift present | give | 贈り物 プレゼント
party celebration feast | fun | 祝い パーティー 宴会
travel trip journey tour | visit | 旅行 旅
hotel inn lodging | stay | 宿 ホテル 旅館
ticket pass | travel | 切符 券 チケット
luggage baggage suitcase bag | travel | 荷物 鞄 かばん
clothes clothing garment dress | wear | 服 衣服 洋服
shoes boots footwear | foot | 靴
hat cap | head | 帽子
wash clean rinse | water | 洗う 洗浄
throw toss cast | ball | 投げる
catch capture grab | hold | 捕まえる 捕る
push shove press | force | 押す
pull drag draw | force | 引く 引っ張る
cut slice chop | knife | 切る 刻む
break smash shatter | broken | 割る 壊す 折る
bend fold curve | shape | 曲げる 折る
open unlock | door | 開ける 開く
close shut | door | 閉める 閉じる
enter come_in | door | 入る 入場
leave depart exit | go | 去る 出発 出る
arrive reach come | place | 着く 到着
return come_back | back | 帰る 戻る
meet encounter | person | 会う 出会う
wait await | time | 待つ
hurry rush hasten | fast | 急ぐ 慌てる
think consider ponder | brain | 考える 思う
know understand comprehend realize | learn | 知る 分かる 理解
believe trust | faith | 信じる 信頼
hope wish desire want | dream | 望む 願う 希望 欲しい
love adore cherish | like | 愛 愛する 大好き
hate dislike detest | angry | 嫌う 嫌い 憎む
play fun enjoy | game | 遊ぶ 楽しむ
work labor job | office | 働く 仕事 労働
earn gain income | money | 稼ぐ 収入
lose loss miss | gone | 失う 負ける 紛失
win victory triumph | game | 勝つ 勝利
hide conceal | secret | 隠す 隠れる
seek search look_for | find | 探す 求める
count number | total | 数える
grow increase develop | big | 育つ 成長
fall drop | down | 落ちる 倒れる
climb ascend rise | up | 登る 上がる
carry bring transport | hold | 運ぶ 持ってくる
keep hold retain | have | 保つ 持つ
borrow lend loan | money | 借りる 貸す
pay spend | money | 払う 支払う
weather climate | sky | 天気 気候 天候
earthquake quake tremor | disaster | 地震
disaster catastrophe calamity | accident | 災害 大惨事
accident crash collision | car | 事故 衝突
noise sound | loud | 音 騒音
smell odor scent | nose | 匂い 香り
taste flavor | eat | 味 風味
shape form figure | look | 形 姿
corner edge border | side | 角 隅 端
hole gap opening | empty | 穴 隙間
line row queue | order | 列 行列
circle round ring | shape | 丸 円 輪
letter mail post | write | 手紙 郵便
newspaper press journal | news | 新聞
news report | information | 知らせ ニュース
story tale novel | book | 物語 小説 話
history past | old | 歴史
science research | study | 科学 研究
doctor physician | hospital | 医者 医師
lawyer attorney | law | 弁護士
teacher professor | school | 先生 教師
farmer agriculture farm | field | 農家 農業
soldier army military | war | 兵士 軍
bank finance | money | 銀行 金融
market bazaar | shop | 市場
village town city | place | 村 町 都市
world earth globe | planet | 世界 地球
nature wild | forest | 自然
machine engine motor | metal | 機械 エンジン
metal iron steel | hard | 金属 鉄
stone rock | hard | 石 岩
glass crystal | clear | 硝子 ガラス
paper sheet | write | 紙 用紙
cloth fabric textile | clothes | 布 生地
key lock | door | 鍵
clock watch | time | 時計
telephone phone | call | 電話
camera photograph | picture | カメラ 写真
light lamp bulb | bright | 明かり 電灯 照明
electricity power current | energy | 電気 電力
`
