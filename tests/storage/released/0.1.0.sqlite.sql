BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0013');
CREATE TABLE api_keys (
	id INTEGER NOT NULL, 
	shop_id INTEGER NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	prefix VARCHAR(16) NOT NULL, 
	label VARCHAR(255) NOT NULL, 
	test BOOLEAN NOT NULL, 
	scopes TEXT NOT NULL, 
	origins TEXT NOT NULL, 
	rate_limit INTEGER NOT NULL, 
	active BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	last_used_at BIGINT, visitor_limit INTEGER, demo BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_api_keys PRIMARY KEY (id), 
	CONSTRAINT fk_api_keys_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id), 
	CONSTRAINT uq_api_keys_digest UNIQUE (digest), 
	CONSTRAINT uq_api_keys_prefix UNIQUE (prefix)
);
INSERT INTO "api_keys" VALUES(1,1,'33331a5168c3d8ba68c39bdb77e1989de22823f88fa4702bfdcfeab68f0dbeff','bnd_live_-U4HTyr','test',0,'["headless","embed"]','[]',1000000,1,1795442261,1795442264,NULL,0);
CREATE TABLE "bundles" (
	shop_id INTEGER NOT NULL, 
	id BIGINT NOT NULL, 
	published BOOLEAN NOT NULL, 
	product_id BIGINT, 
	document TEXT NOT NULL, 
	generation BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_bundles PRIMARY KEY (shop_id, generation, id), 
	CONSTRAINT fk_bundles_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "bundles" VALUES(1,42,1,900,'{"id":42,"name":"Box","description":"","image_url":"","type":"native","bundling_option":"bundles","published":true,"layout":"multiple-sections","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":{"type":"percentage","value":"10.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Shirts","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":7,"product_id":111,"variant_ids":[]}]},{"id":2,"name":"Mugs","description":"","image_url":"","order":1,"auto_next_section":false,"products":[{"bundle_item_id":8,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"optional","groups":[{"id":7,"name":"Monthly","options":[{"frequency":1,"unit":"month","discount":null},{"frequency":2,"unit":"week","discount":"5.00"}]}]},"translations":{}}',0);
INSERT INTO "bundles" VALUES(1,43,1,901,'{"id":43,"name":"Pair","description":"","image_url":"","type":"multiple-products","bundling_option":"bundles","published":true,"layout":"single-page","product_id":901,"parent_variant_id":9011,"template_code":"default","discount":{"type":"fixed","value":"5.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Both","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":111,"variant_ids":[]},{"bundle_item_id":2,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}',0);
INSERT INTO "bundles" VALUES(1,44,0,900,'{"id":44,"name":"Later","description":"","image_url":"","type":"native","bundling_option":"bundles","published":false,"layout":"single-page","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":null,"sections":[{"id":1,"name":"Mugs","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}',0);
CREATE TABLE catalogue_ghost_prices (
	shop_id INTEGER NOT NULL, 
	variant_id BIGINT NOT NULL, 
	country_code VARCHAR(2) NOT NULL, 
	price VARCHAR(32) NOT NULL, 
	CONSTRAINT pk_catalogue_ghost_prices PRIMARY KEY (shop_id, variant_id, country_code), 
	CONSTRAINT fk_catalogue_ghost_prices_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "catalogue_ghost_prices" VALUES(1,8853137769933570,'JP','3230.00');
CREATE TABLE catalogue_ghosts (
	shop_id INTEGER NOT NULL, 
	variant_id BIGINT NOT NULL, 
	product_id BIGINT NOT NULL, 
	option_value VARCHAR(64) NOT NULL, 
	price VARCHAR(32) NOT NULL, 
	retired BOOLEAN NOT NULL, 
	CONSTRAINT pk_catalogue_ghosts PRIMARY KEY (shop_id, variant_id), 
	CONSTRAINT fk_catalogue_ghosts_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "catalogue_ghosts" VALUES(1,8853137769933570,901,'9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a','22.99',0);
CREATE TABLE configured_bundles (
	number INTEGER NOT NULL, 
	id BIGINT NOT NULL, 
	shop_id INTEGER NOT NULL, 
	bundle_id BIGINT NOT NULL, 
	bundle_type VARCHAR(32) NOT NULL, 
	title TEXT NOT NULL, 
	product_id BIGINT NOT NULL, 
	variant_id BIGINT NOT NULL, 
	country VARCHAR(2), 
	test BOOLEAN NOT NULL, 
	unique_id VARCHAR(32) NOT NULL, 
	original VARCHAR(32) NOT NULL, 
	discounted VARCHAR(32) NOT NULL, 
	discount_type VARCHAR(32) NOT NULL, 
	discount_value VARCHAR(32) NOT NULL, 
	currency VARCHAR(3) NOT NULL, 
	items TEXT NOT NULL, 
	visitor_id VARCHAR(36), 
	experiment_id VARCHAR(255), 
	arm INTEGER, 
	configured_at BIGINT NOT NULL, 
	CONSTRAINT pk_configured_bundles PRIMARY KEY (number), 
	CONSTRAINT fk_configured_bundles_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id), 
	CONSTRAINT uq_configured_bundles_id UNIQUE (id)
);
INSERT INTO "configured_bundles" VALUES(1,5087267213164650,1,42,'native','Box',900,9001,NULL,0,'bcb87ef4f27cd566770453d8e661f08b','27.99','25.19','percentage','10.00','EUR','[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"19.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":2,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"8.00","properties":{},"fee_variant_ids":[],"answer_keys":[]}]',NULL,NULL,NULL,1795442264);
INSERT INTO "configured_bundles" VALUES(2,3037692129252681,1,43,'multiple-products','Pair',901,8853137769933570,'JP',0,'46faaf01140108a772c54d886a0e29e4','25.19','20.19','fixed','5.00','EUR','[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"17.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":1,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"7.20","properties":{},"fee_variant_ids":[],"answer_keys":[]}]',NULL,NULL,NULL,1795442264);
CREATE TABLE "experiments" (
	shop_id INTEGER NOT NULL, 
	id VARCHAR(255) NOT NULL, 
	bundle_id BIGINT NOT NULL, 
	document TEXT NOT NULL, 
	generation BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_experiments PRIMARY KEY (shop_id, generation, id), 
	CONSTRAINT fk_experiments_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "experiments" VALUES(1,'exp-1',42,'{"id":"exp-1","bundle_id":42,"arms":[{"bundle_id":42,"weight":"50"},{"bundle_id":43,"weight":"50"}]}',0);
CREATE TABLE ghost_promises (
	shop_id INTEGER NOT NULL, 
	variant_id BIGINT NOT NULL, 
	price_list VARCHAR(255) NOT NULL, 
	country_code VARCHAR(2) NOT NULL, 
	promise VARCHAR(32) NOT NULL, 
	price VARCHAR(32), 
	priced_at BIGINT, 
	CONSTRAINT pk_ghost_promises PRIMARY KEY (shop_id, variant_id, price_list), 
	CONSTRAINT fk_ghost_promises_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "ghost_promises" VALUES(1,8853137769933570,'JP','JP','20.19','3230.00',1795442264);
CREATE TABLE ghost_subjects (
	shop_id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	subject_id BIGINT NOT NULL, 
	ghost_id INTEGER NOT NULL, 
	CONSTRAINT pk_ghost_subjects PRIMARY KEY (shop_id, kind, subject_id, ghost_id), 
	CONSTRAINT fk_ghost_subjects_ghost_id FOREIGN KEY(ghost_id) REFERENCES ghost_variants (id), 
	CONSTRAINT fk_ghost_subjects_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "ghost_subjects" VALUES(1,'bundle',43,1);
INSERT INTO "ghost_subjects" VALUES(1,'product',111,1);
INSERT INTO "ghost_subjects" VALUES(1,'product',222,1);
CREATE TABLE ghost_variants (
	id INTEGER NOT NULL, 
	shop_id INTEGER NOT NULL, 
	identity VARCHAR(64) NOT NULL, 
	product_id BIGINT NOT NULL, 
	variant_id BIGINT NOT NULL, 
	last_used_at BIGINT NOT NULL, 
	retired_at BIGINT, confirmed_at BIGINT DEFAULT '0' NOT NULL, marked BOOLEAN DEFAULT false NOT NULL, checked_at BIGINT DEFAULT '0' NOT NULL, check_at BIGINT DEFAULT '0', claim VARCHAR(32), broken_at BIGINT, bought_at BIGINT, gone_at BIGINT, 
	CONSTRAINT pk_ghost_variants PRIMARY KEY (id), 
	CONSTRAINT fk_ghost_variants_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "ghost_variants" VALUES(1,1,'9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a',901,8853137769933570,1795442264,NULL,1795442264,0,1795442264,1795528664,NULL,NULL,NULL,NULL);
CREATE TABLE idempotency_keys (
	shop_id INTEGER NOT NULL, 
	test BOOLEAN NOT NULL, 
	method VARCHAR(8) NOT NULL, 
	path VARCHAR(255) NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	body_digest VARCHAR(64) NOT NULL, 
	answer BLOB NOT NULL, 
	configured_bundle_id BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, encoding VARCHAR(16) DEFAULT 'identity' NOT NULL, 
	CONSTRAINT pk_idempotency_keys PRIMARY KEY (shop_id, test, method, path, "key"), 
	CONSTRAINT fk_idempotency_keys_configured_bundle_id FOREIGN KEY(configured_bundle_id) REFERENCES configured_bundles (id), 
	CONSTRAINT fk_idempotency_keys_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "idempotency_keys" VALUES(1,0,'POST','/api/headless/v1/bundles/42/configure','order-1','fffef579f0cb3440ec0d1bfac591ef365d09d47bcafaea7aa312cc5090e5a9e8',X'789CED95D992A2481486DF85BE2D2B8092ADEE50595416514160EC2058124CF6D5122A7CF7467ABAC79E99EBB99868AEE03F27CFC948CEF7E727E2177908A3AE0681E3757990020706C83B81D2144E5238F686917392405F90AB5B43376FA728C2A02886BC20655D049DFF97364A016CFCA2CBDB5188D8C7B3A8179C6DE14DE344D66AD6ABD56A9FCAAACB7992B095A9C16CABA3B6B22279D85D6718EF58D149F5BC245137B63954CC0D0AC790095A3FBF3275B5883B460F0B942BDCA590EFAD24A4F61B41CBA9D2D759D6313E4C365CA0037BE318B36A1B4B3C7D606176D03676436E629951E7FBE150EFBD93F6B67348C1A657F1E648AE316523020D2B1CA84573538AEAABB59B999C5BC8BAF431EBA55DDC81BA144ED4298F3A05A43DDBA82C718B15C3DF3142EF3283389371AC8F22D0CCCABE857A3F685BFE16B0DB0A50C57061D3A5A064B4D28BF6ED2A2B7D8F2FF78CB712363C2E886936E498A1ED62BDAFD3C8D22A73C618867B590C9B4CCC333D76E69AD7C192E03A4AE1E68AC60BBC0BA3C4A125E754E4F94D5D7F080B1D4B77703C0231551B7F661E4A391E22A1E5928A6552BE19DCC8385E77878C8EE915EE4AED7A2E0BA17B49F22549DB096511AA53271D2A0E344D77FB852A62545549DBCCB9F5189CB7E6BE11624222A3283A990C61F1F0FA21BF0517D1EF2FF8360133D129E1896DD6FAA54A0B4DE58BAB1EA31B02D891B8CC41D7DD0E626D10E16AFFC62992C4DB76AF94B26337ED1266591F4246D96E998E0E0EA7665B9245CF81D24814AF5A9125062B279433B4C4256FD76BD54D9603132709439FDD96B6492F19C196FC44D393DEE2541688C4A20EC5988CD68C5503BFBCE0E3BFE69DEE88CFEA260D023EB78C136EF34126D6451B936812B3B831A71B501E49EB348E93C2088ED9B0F480C62577DC63B9354E76D3798D5FC3B285453E4D3CF60000FA308F90F74FA4A861047337DD8D1218A71FA75E19E6090810FC8C10AFD873E4D8970FB904B50FF2D68DC053CC70D3EE11C4D0D7092FBFAB6B90FBFD2871FA1EB98F8A5BB78FFE29CC47745B9035C8FB1F9FC8B44114C55F90AA1BB1856DFFE7868BB14F0B41F358F383F8C06DDDB1E2DFA1FFF2C0FC8BE77B3405C27988537E40902445A173E22DA0014962214A7BC8FDFEF2BD1F3EA6FF27FDBEBE206EDBD6D0EBDA5F0A8FEFC8E7F91F75CF63CAF9C9E81653F23A38FF8BCF9D7F1EFD183DFFF6B0DF1EF6BFF1B033324EF748660AA6D15E14B749993CE3FC308DF38F4B7E4263728F0736DF59C046CA7F4D98707F4EF8FAA8968D0636D59F8AE745FBF4051FCBE6F8FD3E327CFF06FE54CABE',5087267213164650,1795442264,'deflate');
INSERT INTO "idempotency_keys" VALUES(1,0,'POST','/api/headless/v1/bundles/43/configure','order-2','352b4102265c21a0c13599fa64cab94925194eae482def9e3504f1a78a35fd6a',X'789C6D935BB3A23A1046FF8BCFE354B8C3BC89205B404004455F2C2E010308181210A6E6BF8FEE736A6A4F9D93C7B552DDE9D4D73F1769DBE4A8A01866D78436590DAF285BFCE00027890ACBB00A2BB0A2CC7C5B0C314671433EED4296058EE1A4D71585E304092CBE2D3ADC6634FDD72B8079A10CF5694B1BF202C5EA7D54ACEA97736FFBD36EB2246360E69068B91290EA84F9549FDBF27ED142375A1B05ADCBC61A06D04D83AA95A67F7F3A5B05714931DD363316A86654017A3AB3780C9830E964CBEC58EF4003C5CA74FC64899682E949B2A80B968C710AC64767157ED506B1D3E84BA1C152B1B3E79B983D47EEC3A99AF8C42B8390F8BCB8E69CC4B8FB7AA07F0463A0DEC9A88451617C14C9F352D9898278CFDA9A271AE26BCF9F38565C9D24BFD6E4E304B4D2731E97C03F64A789EA901BC5EA3689A34DBCAB199A1E0AEC5D658C335DC72AA89264DF3F7628F5DC43E158A6461818CA5D686AEBDBD5EED4229156796FF98A56EAB0B162297B7A600B2E1B8A238A5AE1569D3E8279881DBE38463C5356502F361DE0361576755962E621072EB35ABA171CA6C346DCD29877EC3D4CBCD3B947490F0F2D96EB6AA90A09B8E504ED409ADD9AC850B70A9E4D4DC6AA46FBFB4DDD3BEB4BB47AD6B680F8C035466F1DA6DC1CF75BA83A1A79FD68C46F4D65503AB49FF33C057B39B3A2B3290113A292D1FD6B9B8B7CBF614251C8489586ED31C9647250AEE8D0F076C9A5A36A8BF31D927BA2D412F12E87C2BD0218AC147FBF3D57CBFD6A9BB29CCB59CC1E66202A72693C5F1BD7798C334BD6471988D3E45B1A5A65B9AA3A78B3B4CBFD6E571EDD0313A6ECF878F407A9AE370CA146C7089E7976E257327B9AF429461D416DF399D886D6F53BC328454DB1F8F173D16254A026AEBD1782AF00B3C27746F9926998FD31E06F134CDD1BE7E809B32FF818D7F4CD85EFE0BD2E29C51836E9F4227AE82F7EBD9BC31E36E40EDF0BF3DF07F08063FEB73FC77E8A2F054DEFFC2E98C698FC33D9AFDF002C4A4C',3037692129252681,1795442264,'deflate');
CREATE TABLE "markets" (
	shop_id INTEGER NOT NULL, 
	country_code VARCHAR(2) NOT NULL, 
	document TEXT NOT NULL, 
	generation BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_markets PRIMARY KEY (shop_id, generation, country_code), 
	CONSTRAINT fk_markets_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "markets" VALUES(1,'JP','{"country_code":"JP","currency":"JPY","exchange_rate":"160","price_adjustment":"-10","prices":{},"unavailable_variant_ids":[]}',0);
INSERT INTO "markets" VALUES(1,'US','{"country_code":"US","currency":"USD","exchange_rate":"1.10","price_adjustment":"5","prices":{"1002":"21.00"},"unavailable_variant_ids":[2001]}',0);
CREATE TABLE own_updates (
	shop_id INTEGER NOT NULL, 
	product_id BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	recorded_at BIGINT NOT NULL, 
	CONSTRAINT pk_own_updates PRIMARY KEY (shop_id, product_id, updated_at), 
	CONSTRAINT fk_own_updates_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "own_updates" VALUES(1,111,1,1);
CREATE TABLE platform_changes (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	shop_id INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	subject_id BIGINT, 
	recorded_at BIGINT NOT NULL, 
	CONSTRAINT fk_platform_changes_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "platform_changes" VALUES(1,1,'product',111,1);
CREATE TABLE platform_connections (
	shop_id INTEGER NOT NULL, 
	sealed TEXT NOT NULL, 
	connected_at BIGINT NOT NULL, 
	CONSTRAINT pk_platform_connections PRIMARY KEY (shop_id), 
	CONSTRAINT fk_platform_connections_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "platform_connections" VALUES(1,'sealed',1);
CREATE TABLE "products" (
	shop_id INTEGER NOT NULL, 
	id BIGINT NOT NULL, 
	handle VARCHAR(255) NOT NULL, 
	document TEXT NOT NULL, 
	generation BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_products PRIMARY KEY (shop_id, generation, id), 
	CONSTRAINT fk_products_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "products" VALUES(1,111,'shirt','{"id":111,"title":"Shirt","handle":"shirt","image_url":"","status":"ACTIVE","tags":["linen","bundlesvc:seasonal"],"description_html":"<p>Linen</p>","options":[{"name":"Size","values":["S","M"],"swatches":{"S":{"color":"#C02020","image_url":""}}}],"variants":[{"id":1001,"title":"S","price":"19.99","compare_at_price":null,"sku":"SH-S","inventory_tracked":true,"inventory_policy":"deny","inventory_quantity":5,"grams":200,"option_values":["S"],"image":null,"inventory_item_id":null,"product_id":0},{"id":1002,"title":"M","price":"19.99","compare_at_price":"25.00","sku":"SH-M","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":210,"option_values":["M"],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{"de":{"title":"Hemd","description_html":"","options":{}}}}',0);
INSERT INTO "products" VALUES(1,222,'mug','{"id":222,"title":"Mug","handle":"mug","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":2001,"title":"Default Title","price":"8.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":300,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}',0);
INSERT INTO "products" VALUES(1,900,'gift-box','{"id":900,"title":"Gift Box","handle":"gift-box","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":9001,"title":"Default Title","price":"0.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":0,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}',0);
INSERT INTO "products" VALUES(1,901,'pair','{"id":901,"title":"Pair","handle":"pair","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":9011,"title":"Default Title","price":"0.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":0,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}',0);
CREATE TABLE shopper_requests (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	shop_id INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	subject VARCHAR(255) NOT NULL, 
	reference VARCHAR(64), 
	received_at BIGINT NOT NULL, 
	completed_at BIGINT, 
	CONSTRAINT fk_shopper_requests_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "shopper_requests" VALUES(1,1,'erase','mira@mail.example','1',1,NULL);
CREATE TABLE shops (
	id INTEGER NOT NULL, 
	handle VARCHAR(255) NOT NULL, 
	headless_enabled BOOLEAN NOT NULL, 
	revision BIGINT NOT NULL, 
	document TEXT NOT NULL, generation BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_shops PRIMARY KEY (id), 
	CONSTRAINT uq_shops_handle UNIQUE (handle)
);
INSERT INTO "shops" VALUES(1,'demo',1,2,'{"handle":"demo","name":"Demo Shop","domain":"demo.example","locale":"en","headless_enabled":true,"active_features":["conditions","subscriptions"],"platform":{"kind":"embedded","domain":null},"templates":["default","compact"],"settings":{"currency":"EUR","money_format":"€{{amount}}","weight_unit":"kg"}}',0);
CREATE TABLE stock_reminders (
	shop_id INTEGER NOT NULL, 
	variant_id BIGINT NOT NULL, 
	email VARCHAR(254) NOT NULL, 
	bundle_name TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_stock_reminders PRIMARY KEY (shop_id, variant_id, email), 
	CONSTRAINT fk_stock_reminders_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "stock_reminders" VALUES(1,2001,'mira@mail.example','Box',1);
CREATE TABLE subscriptions (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	shop_id INTEGER NOT NULL, 
	configured_bundle_id BIGINT NOT NULL, 
	group_id BIGINT NOT NULL, 
	frequency BIGINT NOT NULL, 
	unit VARCHAR(8) NOT NULL, 
	email VARCHAR(254) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	next_date VARCHAR(10), 
	created_at BIGINT NOT NULL, 
	CONSTRAINT fk_subscriptions_configured_bundle_id FOREIGN KEY(configured_bundle_id) REFERENCES configured_bundles (id), 
	CONSTRAINT fk_subscriptions_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id), 
	CONSTRAINT uq_subscriptions_configured_bundle_id UNIQUE (configured_bundle_id)
);
INSERT INTO "subscriptions" VALUES(1,1,5087267213164650,7,1,'month','mira@mail.example','pending','2026-12-23',1795442264);
CREATE TABLE usage_days (
	day BIGINT NOT NULL, 
	shop VARCHAR(255) NOT NULL, 
	key_prefix VARCHAR(16) NOT NULL, 
	reads BIGINT NOT NULL, 
	prices BIGINT NOT NULL, 
	configures BIGINT NOT NULL, 
	others BIGINT NOT NULL, 
	refused BIGINT NOT NULL, 
	failed BIGINT NOT NULL, 
	CONSTRAINT pk_usage_days PRIMARY KEY (day, shop, key_prefix)
);
INSERT INTO "usage_days" VALUES(1795392000,'demo','bnd_live_-U4HTyr',0,0,2,0,0,0);
CREATE TABLE usage_writers (
	writer VARCHAR(32) NOT NULL, 
	batch BIGINT NOT NULL, 
	written_at BIGINT NOT NULL, 
	CONSTRAINT pk_usage_writers PRIMARY KEY (writer)
);
INSERT INTO "usage_writers" VALUES('bc7446f1fa91c42eb320b0123cba7788',1,1795442264);
CREATE TABLE "variants" (
	shop_id INTEGER NOT NULL, 
	id BIGINT NOT NULL, 
	product_id BIGINT NOT NULL, 
	generation BIGINT DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_variants PRIMARY KEY (shop_id, generation, id), 
	CONSTRAINT fk_variants_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "variants" VALUES(1,1001,111,0);
INSERT INTO "variants" VALUES(1,1002,111,0);
INSERT INTO "variants" VALUES(1,2001,222,0);
INSERT INTO "variants" VALUES(1,9001,900,0);
INSERT INTO "variants" VALUES(1,9011,901,0);
CREATE TABLE webhook_deliveries (
	shop_id INTEGER NOT NULL, 
	delivery VARCHAR(255) NOT NULL, 
	received_at BIGINT NOT NULL, signature VARCHAR(64), subject VARCHAR(255), 
	CONSTRAINT pk_webhook_deliveries PRIMARY KEY (shop_id, delivery), 
	CONSTRAINT fk_webhook_deliveries_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "webhook_deliveries" VALUES(1,'1',1,'0000000000000000000000000000000000000000000000000000000000000000','products/update');
CREATE UNIQUE INDEX uq_catalogue_ghosts_option_value ON catalogue_ghosts (shop_id, product_id, option_value) WHERE NOT retired;
CREATE INDEX ix_configured_bundles_configured_at ON configured_bundles (configured_at);
CREATE INDEX ix_configured_bundles_shop_id_variant_id_number ON configured_bundles (shop_id, variant_id, number);
CREATE INDEX ix_ghost_variants_shop_id_product_id_last_used_at ON ghost_variants (shop_id, product_id, last_used_at);
CREATE UNIQUE INDEX uq_ghost_variants_in_use ON ghost_variants (shop_id, identity) WHERE retired_at IS NULL;
CREATE INDEX ix_stock_reminders_email ON stock_reminders (email);
CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at);
CREATE INDEX ix_subscriptions_shop_id_status ON subscriptions (shop_id, status);
CREATE INDEX ix_webhook_deliveries_received_at ON webhook_deliveries (received_at);
CREATE INDEX ix_platform_changes_recorded_at ON platform_changes (recorded_at);
CREATE INDEX ix_ghost_variants_shop_id_variant_id ON ghost_variants (shop_id, variant_id);
CREATE INDEX ix_ghost_variants_check_at ON ghost_variants (check_at);
CREATE INDEX ix_ghost_subjects_ghost_id ON ghost_subjects (ghost_id);
CREATE UNIQUE INDEX uq_webhook_deliveries_signature ON webhook_deliveries (shop_id, signature);
CREATE INDEX ix_api_keys_shop_id ON api_keys (shop_id);
CREATE INDEX ix_idempotency_keys_configured_bundle_id ON idempotency_keys (configured_bundle_id);
CREATE INDEX ix_platform_changes_shop_id ON platform_changes (shop_id);
CREATE INDEX ix_own_updates_recorded_at ON own_updates (recorded_at);
CREATE UNIQUE INDEX uq_shopper_requests_reference ON shopper_requests (shop_id, kind, reference);
CREATE INDEX ix_stock_reminders_created_at ON stock_reminders (created_at);
CREATE INDEX ix_subscriptions_created_at ON subscriptions (created_at);
CREATE INDEX ix_configured_bundles_answers ON configured_bundles (configured_at, number) WHERE items LIKE '%"properties":{"%';
CREATE INDEX ix_products_shop_id_handle ON products (shop_id, handle);
CREATE INDEX ix_bundles_shop_id_product_id ON bundles (shop_id, product_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('subscriptions',1);
INSERT INTO "sqlite_sequence" VALUES('platform_changes',1);
INSERT INTO "sqlite_sequence" VALUES('shopper_requests',1);
COMMIT;
