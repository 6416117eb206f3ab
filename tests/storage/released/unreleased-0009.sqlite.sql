BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0009');
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
INSERT INTO "api_keys" VALUES(1,1,'774e2e9e082d6490222f3dbc1e25d92e99d961e6b25d66aacf1e6a937105c33d','bnd_live_wGLp-EA','test',0,'["headless","embed"]','[]',1000000,1,1795355011,1795355017,NULL,0);
CREATE TABLE bundles (
	shop_id INTEGER NOT NULL, 
	id BIGINT NOT NULL, 
	published BOOLEAN NOT NULL, 
	product_id BIGINT, 
	document TEXT NOT NULL, 
	CONSTRAINT pk_bundles PRIMARY KEY (shop_id, id), 
	CONSTRAINT fk_bundles_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "bundles" VALUES(1,42,1,900,'{"id":42,"name":"Box","description":"","image_url":"","type":"native","bundling_option":"bundles","published":true,"layout":"multiple-sections","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":{"type":"percentage","value":"10.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Shirts","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":7,"product_id":111,"variant_ids":[]}]},{"id":2,"name":"Mugs","description":"","image_url":"","order":1,"auto_next_section":false,"products":[{"bundle_item_id":8,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"optional","groups":[{"id":7,"name":"Monthly","options":[{"frequency":1,"unit":"month","discount":null},{"frequency":2,"unit":"week","discount":"5.00"}]}]},"translations":{}}');
INSERT INTO "bundles" VALUES(1,43,1,901,'{"id":43,"name":"Pair","description":"","image_url":"","type":"multiple-products","bundling_option":"bundles","published":true,"layout":"single-page","product_id":901,"parent_variant_id":9011,"template_code":"default","discount":{"type":"fixed","value":"5.00","flat_or_tiered":"flat","minimum":null,"operator":null,"tiers":[]},"sections":[{"id":1,"name":"Both","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":111,"variant_ids":[]},{"bundle_item_id":2,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}');
INSERT INTO "bundles" VALUES(1,44,0,900,'{"id":44,"name":"Later","description":"","image_url":"","type":"native","bundling_option":"bundles","published":false,"layout":"single-page","product_id":900,"parent_variant_id":9001,"template_code":"default","discount":null,"sections":[{"id":1,"name":"Mugs","description":"","image_url":"","order":0,"auto_next_section":false,"products":[{"bundle_item_id":1,"product_id":222,"variant_ids":[]}]}],"required_products":[],"limit_rules":[],"conditions":[],"personalisation":{},"subscription":{"mode":"disabled","groups":[]},"translations":{}}');
CREATE TABLE catalogue_ghost_prices (
	shop_id INTEGER NOT NULL, 
	variant_id BIGINT NOT NULL, 
	country_code VARCHAR(2) NOT NULL, 
	price VARCHAR(32) NOT NULL, 
	CONSTRAINT pk_catalogue_ghost_prices PRIMARY KEY (shop_id, variant_id, country_code), 
	CONSTRAINT fk_catalogue_ghost_prices_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "catalogue_ghost_prices" VALUES(1,8261790987595192,'JP','3230.00');
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
INSERT INTO "catalogue_ghosts" VALUES(1,8261790987595192,901,'9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a','22.99',0);
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
INSERT INTO "configured_bundles" VALUES(1,378420080055053,1,42,'native','Box',900,9001,NULL,0,'37778fda5fe705fd9c32e514158fffbf','27.99','25.19','percentage','10.00','EUR','[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"19.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":2,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"8.00","properties":{},"fee_variant_ids":[],"answer_keys":[]}]',NULL,NULL,NULL,1795355017);
INSERT INTO "configured_bundles" VALUES(2,7451006826076984,1,43,'multiple-products','Pair',901,8261790987595192,'JP',0,'ea6b6ce19b25819685db080573eba1ee','25.19','20.19','fixed','5.00','EUR','[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"17.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":1,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"7.20","properties":{},"fee_variant_ids":[],"answer_keys":[]}]',NULL,NULL,NULL,1795355017);
CREATE TABLE experiments (
	shop_id INTEGER NOT NULL, 
	id VARCHAR(255) NOT NULL, 
	bundle_id BIGINT NOT NULL, 
	document TEXT NOT NULL, 
	CONSTRAINT pk_experiments PRIMARY KEY (shop_id, id), 
	CONSTRAINT fk_experiments_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "experiments" VALUES(1,'exp-1',42,'{"id":"exp-1","bundle_id":42,"arms":[{"bundle_id":42,"weight":"50"},{"bundle_id":43,"weight":"50"}]}');
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
INSERT INTO "ghost_promises" VALUES(1,8261790987595192,'JP','JP','20.19','3230.00',1795355017);
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
INSERT INTO "ghost_subjects" VALUES(1,'product',222,1);
INSERT INTO "ghost_subjects" VALUES(1,'product',111,1);
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
INSERT INTO "ghost_variants" VALUES(1,1,'9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a',901,8261790987595192,1795355017,NULL,1795355017,0,1795355017,1795441417,NULL,NULL,NULL,NULL);
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
INSERT INTO "idempotency_keys" VALUES(1,0,'POST','/api/headless/v1/bundles/42/configure','order-1','fffef579f0cb3440ec0d1bfac591ef365d09d47bcafaea7aa312cc5090e5a9e8',X'789CED95C9B2A2481486DF85DAEA0D4010B93B6554918BA8A0B61504920926A30CE974C377AF84EAAAB6AAB71DBD2A56F09F2923E3FF0E9F5450E4218A70058177C43948A18700F53E10461C4BD3239AE6799A1FF4A88B5F213F6FBA2025D23443F5A87355001CFCA31109A03A2870DE10211AB7CFA41A5FB459A23AAC1E2F244591E485B2541FE6425BEAF4DA5B02A6B1D673710BC7CC8E57D4C587AC3FE60F4DDD2657919DD7F42AC68B33BB38D5CD7E566CA352BB1FAF21779DF947618ECDEA6ACCBD253A623D06E29C2B9875A5A9C67454986365EA2D271FD91CFA278C66919916E269029987CBC7F2C5C9A67D69AFEEE7D97929B2D5BE0056C2391ABE8E05591F4C84B1683B9A3DB083ADBDD960A50013394D3C1D2B496E388E9069E041737C7CC9CD8BA2E7C3DD245BA3920FA5B86FD90A306A241AD895B61EA3E87DCBBC59D6C39C0DD68EB5B3CE852B474939A8EE81A432B6292A193BA54BE0C9B11BCE24B47A04A35AD2CCB9810DE7149F4786CBDF868EB92C557B74B2779B6B1EBA8BDDD22C173B5E94FA65E9AE38D5C5DC3175B013D8FCC04343BBF627B2BBCB860B56B61A2D39E999173A8AE7F3BC8622033CEC2C9F65628805860D9AFC3C14111F8FE0A6B9067D03CBD24365767DE3E6462C8C96F547050333E1566AC0C46B69C8E520DB87F4DAB08371BE62D4E9145DBDB416221B9542E1D791522B92A2E9DBB0FCD8E34B7009A7EC697CD2152E06C6FD36E2B3A232F7F41DC574BD5ED5CD1DDADBED8DA593FD31F53D85934EE300036356211BF9D86763CB4A88B36A7CAC830A9D1B54E49DE398D68028407944BD7F5245852294FBA9452448DCC70A6FA2F86248087E46F837E635B2BE9F5BF90CAB00E68D1FC19798E3A7B80D32F45B67EF005715CC833B91948D4D3D89E2574D3B3F453921A781594DBDFFF5497507A469B647959860839AFBDF072EC89C06C1BAADF9011CF01B9F74FC8DB92F2D655F0682208C42E0F32114683E0462306021CF700C3F0AC3F01852CF67EFFB3852CAFC1FE3BEF628BF692A025DF34B5FF24E7D1E7E6F7B201987972533E972A7E0F0EF1D73F879ED2478F8B33FFEEC8FFF6C7F1C28E22E82450A3B6B4D8A5BA774BC1E5A600F3F7E709D333B725BD77EF7224310FB35A163ED35E16BDB2D23CBA3EBDF35CF8BE6E50BB5651CFB7C12829EDF00378B6C3D',378420080055053,1795355017,'deflate');
INSERT INTO "idempotency_keys" VALUES(1,0,'POST','/api/headless/v1/bundles/43/configure','order-2','352b4102265c21a0c13599fa64cab94925194eae482def9e3504f1a78a35fd6a',X'789C6D925B8FA2301840FF0BCFC3A4DC61927D5010056540C50BBE1028050B58903B4EE6BF2FCE6E36B3D9EDE339C9F7B5CDF9A06041629CB4158AFCB025518E7C1C516F122F300088322B02495464FE85EA820A07A4F9B2D4C41949018A2C098AC0282CF542955511B5F0B7570033A108D7B06849338164F63CF36AD62DCDD435DCB39D31FCD172F08EE7127F93459DCC6A4EB9ED55D31E3D5875773A6CC7EB5C9FC96A0939C5AAAC1A3E6CD52FD5A6DB166E6F4AE1854E94B0B2E24577D3A500989E7FC45D5FE3C312D0243CE8156B25EF49D714BC89E71D717415DCCA83872258C45B1E66A706841BB25EE9B8A8A1BE98C3340DBBAB3A88E92085A77B3D9FED97C635196C438CE2D38C5EE48BCDA53E71A3659A0FA9C42769AFAB512919F353AC5C45A7D76C7BB31B0C9DD82B1F318E497B8C46DE0B4BB6E6FE155B74EEEE34771BC5BE11F46E766BF5419464D672EEE3B535C2AC347A21E8C48303571ED7AF46843275BB09697C94FAD138D0FE2E42A11DDE5AD71EB2EA5E48B01BDE07663E3B5EC8B89023A23D60BA684E4E0392BD5D8E5E7F598E46CAAF595FDC3B80D6F7099D7A82B6EB3DBFDE32BBFDF1768E6150592AE7014F5ADF916C6633B36EACFED48C88559026E7E3AD824A6603B1394BF6908AEF17546FA587B0516E7169DAC21DFAE5853F42CD37BBC83F564BFDCC0569B1D2DCFCBA967F4C15D46D58C30A970D2EC8571DA4CDF3672F186292506F1F5451E1049320772684A65858E19551BEF583A23F06FC6DDCB17CE2180F28FA868F41DE3EB9F00AC084615B5588C071228BC38EFA7C2E473522CD0D3DE3FCF7023CE098FFEEE7D82FF16DA0E978CF81D33736BF5EF6F9136CC419F1',7451006826076984,1795355017,'deflate');
CREATE TABLE markets (
	shop_id INTEGER NOT NULL, 
	country_code VARCHAR(2) NOT NULL, 
	document TEXT NOT NULL, 
	CONSTRAINT pk_markets PRIMARY KEY (shop_id, country_code), 
	CONSTRAINT fk_markets_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "markets" VALUES(1,'JP','{"country_code":"JP","currency":"JPY","exchange_rate":"160","price_adjustment":"-10","prices":{},"unavailable_variant_ids":[]}');
INSERT INTO "markets" VALUES(1,'US','{"country_code":"US","currency":"USD","exchange_rate":"1.10","price_adjustment":"5","prices":{"1002":"21.00"},"unavailable_variant_ids":[2001]}');
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
CREATE TABLE products (
	shop_id INTEGER NOT NULL, 
	id BIGINT NOT NULL, 
	handle VARCHAR(255) NOT NULL, 
	document TEXT NOT NULL, 
	CONSTRAINT pk_products PRIMARY KEY (shop_id, id), 
	CONSTRAINT fk_products_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "products" VALUES(1,111,'shirt','{"id":111,"title":"Shirt","handle":"shirt","image_url":"","status":"ACTIVE","tags":["linen","bundlesvc:seasonal"],"description_html":"<p>Linen</p>","options":[{"name":"Size","values":["S","M"],"swatches":{"S":{"color":"#C02020","image_url":""}}}],"variants":[{"id":1001,"title":"S","price":"19.99","compare_at_price":null,"sku":"SH-S","inventory_tracked":true,"inventory_policy":"deny","inventory_quantity":5,"grams":200,"option_values":["S"],"image":null,"inventory_item_id":null,"product_id":0},{"id":1002,"title":"M","price":"19.99","compare_at_price":"25.00","sku":"SH-M","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":210,"option_values":["M"],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{"de":{"title":"Hemd","description_html":"","options":{}}}}');
INSERT INTO "products" VALUES(1,222,'mug','{"id":222,"title":"Mug","handle":"mug","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":2001,"title":"Default Title","price":"8.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":300,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}');
INSERT INTO "products" VALUES(1,900,'gift-box','{"id":900,"title":"Gift Box","handle":"gift-box","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":9001,"title":"Default Title","price":"0.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":0,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}');
INSERT INTO "products" VALUES(1,901,'pair','{"id":901,"title":"Pair","handle":"pair","image_url":"","status":"ACTIVE","tags":[],"description_html":"","options":[],"variants":[{"id":9011,"title":"Default Title","price":"0.00","compare_at_price":null,"sku":"","inventory_tracked":false,"inventory_policy":"deny","inventory_quantity":0,"grams":0,"option_values":[],"image":null,"inventory_item_id":null,"product_id":0}],"translations":{}}');
CREATE TABLE shops (
	id INTEGER NOT NULL, 
	handle VARCHAR(255) NOT NULL, 
	headless_enabled BOOLEAN NOT NULL, 
	revision BIGINT NOT NULL, 
	document TEXT NOT NULL, 
	CONSTRAINT pk_shops PRIMARY KEY (id), 
	CONSTRAINT uq_shops_handle UNIQUE (handle)
);
INSERT INTO "shops" VALUES(1,'demo',1,2,'{"handle":"demo","name":"Demo Shop","domain":"demo.example","locale":"en","headless_enabled":true,"active_features":["conditions","subscriptions"],"platform":{"kind":"embedded","domain":null},"templates":["default","compact"],"settings":{"currency":"EUR","money_format":"€{{amount}}","weight_unit":"kg"}}');
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
INSERT INTO "subscriptions" VALUES(1,1,378420080055053,7,1,'month','mira@mail.example','pending','2026-12-22',1795355017);
CREATE TABLE variants (
	shop_id INTEGER NOT NULL, 
	id BIGINT NOT NULL, 
	product_id BIGINT NOT NULL, 
	CONSTRAINT pk_variants PRIMARY KEY (shop_id, id), 
	CONSTRAINT fk_variants_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "variants" VALUES(1,1001,111);
INSERT INTO "variants" VALUES(1,1002,111);
INSERT INTO "variants" VALUES(1,2001,222);
INSERT INTO "variants" VALUES(1,9001,900);
INSERT INTO "variants" VALUES(1,9011,901);
CREATE TABLE webhook_deliveries (
	shop_id INTEGER NOT NULL, 
	delivery VARCHAR(255) NOT NULL, 
	received_at BIGINT NOT NULL, signature VARCHAR(64), subject VARCHAR(255), 
	CONSTRAINT pk_webhook_deliveries PRIMARY KEY (shop_id, delivery), 
	CONSTRAINT fk_webhook_deliveries_shop_id FOREIGN KEY(shop_id) REFERENCES shops (id)
);
INSERT INTO "webhook_deliveries" VALUES(1,'1',1,'0000000000000000000000000000000000000000000000000000000000000000','products/update');
CREATE INDEX ix_bundles_shop_id_product_id ON bundles (shop_id, product_id);
CREATE UNIQUE INDEX uq_catalogue_ghosts_option_value ON catalogue_ghosts (shop_id, product_id, option_value) WHERE NOT retired;
CREATE INDEX ix_configured_bundles_configured_at ON configured_bundles (configured_at);
CREATE INDEX ix_configured_bundles_shop_id_variant_id_number ON configured_bundles (shop_id, variant_id, number);
CREATE INDEX ix_ghost_variants_shop_id_product_id_last_used_at ON ghost_variants (shop_id, product_id, last_used_at);
CREATE UNIQUE INDEX uq_ghost_variants_in_use ON ghost_variants (shop_id, identity) WHERE retired_at IS NULL;
CREATE INDEX ix_products_shop_id_handle ON products (shop_id, handle);
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('subscriptions',1);
INSERT INTO "sqlite_sequence" VALUES('platform_changes',1);
COMMIT;
