BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0012');
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
INSERT INTO "api_keys" VALUES(1,1,'4dfb3d323b1d8f8528c3ba46c63e46d26e63e8cdfd708bf3eb6c6233899148f3','bnd_live_XGDgL5Y','test',0,'["headless","embed"]','[]',1000000,1,1795354408,1795354412,NULL,0);
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
INSERT INTO "catalogue_ghost_prices" VALUES(1,8683012089016569,'JP','3230.00');
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
INSERT INTO "catalogue_ghosts" VALUES(1,8683012089016569,901,'9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a','22.99',0);
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
INSERT INTO "configured_bundles" VALUES(1,1076106485759743,1,42,'native','Box',900,9001,NULL,0,'3b2bd1185664d786a2a9e1549ff1afd2','27.99','25.19','percentage','10.00','EUR','[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"19.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":2,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"8.00","properties":{},"fee_variant_ids":[],"answer_keys":[]}]',NULL,NULL,NULL,1795354411);
INSERT INTO "configured_bundles" VALUES(2,361671677555323,1,43,'multiple-products','Pair',901,8683012089016569,'JP',0,'944c8743db3074c00728e0ad3a2b0a4e','25.19','20.19','fixed','5.00','EUR','[{"variant_id":1002,"product_id":111,"section_id":1,"count":1,"title":"Shirt","variant_title":"M","unit_price":"17.99","properties":{},"fee_variant_ids":[],"answer_keys":[]},{"variant_id":2001,"product_id":222,"section_id":1,"count":1,"title":"Mug","variant_title":"Default Title","unit_price":"7.20","properties":{},"fee_variant_ids":[],"answer_keys":[]}]',NULL,NULL,NULL,1795354412);
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
INSERT INTO "ghost_promises" VALUES(1,8683012089016569,'JP','JP','20.19','3230.00',1795354412);
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
INSERT INTO "ghost_variants" VALUES(1,1,'9f7a9b47a376ab29a5e436c9d7dc4b386755a42a388d28dff3ab360d9a61886a',901,8683012089016569,1795354412,NULL,1795354412,0,1795354412,1795440812,NULL,NULL,NULL,NULL);
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
INSERT INTO "idempotency_keys" VALUES(1,0,'POST','/api/headless/v1/bundles/42/configure','order-1','fffef579f0cb3440ec0d1bfac591ef365d09d47bcafaea7aa312cc5090e5a9e8',X'789CED955D93A2381486FF0B73DB7401024ADFA1D282A0A2E207AC535680A0B1918F90A07497FF7D823D336BD7EEE5D65E0D57E13D27E7A4C8FB1C3EB828CF1274A018C6FB9066710AF728E65E44A1AB8A822AF794AEA275E5CE1357038C4046EE514E1304917BE20A9CC734FA5B63528CAA28A71961C2416F9F3ED6690FFBBA7C4985D9B157C85A6316F578635BD09A0A97421A05E34E3D98976744285C87599D38A73C3256C49F1EB54001EED87078926BF2A1B944A3B0086970B5A0697BEED192CF0A4CCF953B49A71EB578AB8AF64EE83495ACE041B74E74830A4DD035E6B9C43BC15B4FF1AFFA661EF4DE61B211DF8C9E100CE5798ACCC676CB7ADBF123DDE3CB7CAB8E0D77DB3129A9EB7098D1D3C58A3AA53A3426BCF73A3786CA05CE92B3608A22D4780FA2B7E4D5954ADDEC027F2DC4D7BE7D2EFD050AFC78316FE633D94B4EB617CEBCC36834B796C2E0584799ED1017F74F8AA14FCC6B23BFC39159E7EF55B49D866FCE5AE7B145F3AB37CCD4EA28E87B7EDF5D51000A6B76181483552ACBF67E7A18284B5C1751112C1432CC054B5CE82922EB99A47B920F7BEE04B93CC0C3C8A985A5E63A2738CA1679166CAFA9A154827F047BB278CB628A134B4A9A71A8069154795E9DE681C8AEFC8449775AED79CDA9CCD9C515F4D7014F815E96A8819078D6341686FCA08F251B12FAEA87EC4CB9AD5DC481BDB7DC51BA9CA84939AEA61BC790237EB35AC2B087E27A62FBB18FA9895103E4C942DDCAD77529F81D66B1C229A8A20F3BE7D4A98DE070994C8CFC6279DE1C02B3755645C32AC2A82028CF3E3DDA1A1045283B702F1F5C8ED101652075990499FBA4EEB3A63D1812C6BF23CAB3F818F19AA2950B8823981170800FB13548691B1485E7BBBD238A31CCA28649C66AC1DD98023069FBA72863E81078AEB897BF3EB84F8804E9892B29C30691E6E78173D6872058B57B7E11170302EE4DBE42F7ADC5EC5B2794C258147B8AAACA71B7A70209685054642D494490C41277BB3D7DF69358FAFFD2EFFB130708C128A4E44B61B6E63E76FFA8BB6329BB8741D3BF275BF1EE5FE6CCEEF7A767D1DD9F19F26786FC673364C7317731325278B7563FBFDE953BB3BB16DADDAF9FDC4F6B327A5BDB7E7A5164947D4DB8E3F698F0BDAD766603E45EFF5E3CCBC9C31B6AB7C9D2EDC618BAFD0026566D48',1076106485759743,1795354411,'deflate');
INSERT INTO "idempotency_keys" VALUES(1,0,'POST','/api/headless/v1/bundles/43/configure','order-2','352b4102265c21a0c13599fa64cab94925194eae482def9e3504f1a78a35fd6a',X'789C6D935D6FA2401486FF0BD7A5E1430436D90BC0AA40055144E186C0803014061C665468FADF17BB9B4D9BDDC95C3D6FF29E33C933EF0C68D1191614E7599C5294D5790C33E68738E7E7F27465499244417C62AE098609229F21A3CC1591E3054E51397E2ECD55E689E9709B51F0279FF08432D88396223281427B1C1D6B54E95B99AD5D24E7B1E31875BE586C2088034E86AEA4EC8FAC6343703E18E6BAECE2A2E12D7144AB36DA96F64A293BFF1A8C175735B4C565DDB25EC25BFE6EE99755E5943BBA0F14B6F7DABB632B67CCB2E900C89C33856A75922FB3DB926EBC408F5B590297825B46D434F943287101B53616AAAB17B43233A7DE0F66A95F7C39D3616D0EA39B22D5CC472525D7DA1F55BAA403C7376B56C58D701D47D0DF8ACE43D6CA6B5E955B459678038BA0C37597B588BBB962D0C7D19696EC8EBD93465C75ED6E16DC7023CD2910BAF168B40A520E1117C47E9289B1CE866117AF5FB734B9B51B671C6C5F34B29C98AE4EE453604A30182B23F57584A0DF74C4B94D3B1DED563BCCE8513FE206C9EA4B189CD71E5110389FCA202D9BC6D5DEA2304356F47612CC388FF1D1B8CB7757F62ED1EB8DDFBF92F42DE767B60930DD93CA666B4037DDDDAB9CA1398E821F25F6AA52229EAB9CD13CD1B608214AD8747B55472DE016F2EC64EE0C6D57432D3493FB4C1E4F8B98741BDDDA6FC39F93053D4D7B806147608B3EED40B4AE1FBE400051C1FC78675A0C8BA9B3DE4E289F6411A4675EFDE24F9EFD4DB8EF893F740F7C86F73CFB8283A4A60F2E3D73DC8401C538476098C8CB61C77C3C86E77D8E48933FE4FC77811927F2FF9D3FFD04FE7BA1B50D1F8520C1E4F7CB3E7E01B86B1AEB',361671677555323,1795354412,'deflate');
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
INSERT INTO "subscriptions" VALUES(1,1,1076106485759743,7,1,'month','mira@mail.example','pending','2026-12-22',1795354411);
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
